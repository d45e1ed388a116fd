import { html } from "hono/html";
import type { Fault } from "../state.ts";
import type { World } from "../world.ts";
import type { Cell } from "./tables.ts";

interface Preset {
  readonly label: string;
  readonly fault: Fault;
}

/** The edge retries a call a few times itself. This is more than it retries. */
const OUT_OF_ORDER = 20;

/** Failures that a developer may want to see, by button name. docs/test-data.md describes the effects. */
const PRESETS: Readonly<Record<string, Preset>> = {
  "links-down": {
    label: "Links cannot be made",
    fault: { target: "processor", call: "payment_links.create", kind: "http_500", times: OUT_OF_ORDER },
  },
  "link-lost": {
    label: "A link's answer is lost",
    fault: { target: "processor", call: "payment_links.create", kind: "reset_after", times: 1 },
  },
  "method-refused": {
    label: "The method “link” is refused",
    fault: { target: "processor", call: "payment_links.create", kind: "refuse_method", method: "link", times: 1 },
  },
  "codes-down": {
    label: "Promotion codes cannot be made",
    fault: { target: "processor", call: "promotion_codes.create", kind: "http_500", times: OUT_OF_ORDER },
  },
  "processor-busy": {
    label: "The processor is busy (429) once",
    fault: { target: "processor", call: "payment_links.create", kind: "http_429", times: 1 },
  },
  "processor-refuses": {
    label: "A link is refused (400)",
    fault: { target: "processor", call: "payment_links.create", kind: "http_400", times: 1 },
  },
  "processor-late": {
    label: "The processor does not answer in time",
    fault: { target: "processor", call: "payment_links.create", kind: "timeout", ms: 60_000, times: OUT_OF_ORDER },
  },
  "bank-down": { label: "The bank fails", fault: { target: "bank", call: "Init", kind: "http_500", times: OUT_OF_ORDER } },
  "bank-refuses": {
    label: "The bank refuses a payment",
    fault: { target: "bank", call: "Init", kind: "bank_error", error_code: "308", times: 1 },
  },
  "bank-lost": { label: "A bank payment's answer is lost", fault: { target: "bank", call: "Init", kind: "reset_after", times: 1 } },
};

/** The behaviour of the receivers here for the next deliveries, by button name. */
const RECEIVERS: Readonly<Record<string, { readonly label: string; readonly status: number; readonly times: number }>> = {
  "receivers-fail": { label: "Receivers fail three times", status: 500, times: 3 },
  "receivers-gone": { label: "Receivers answer 410 Gone once", status: 410, times: 1 },
};

/** Sets the faults of a button. @throws Error if there is no such button */
export function setToFail(world: World, name: string): void {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  const receivers = Object.hasOwn(RECEIVERS, name) ? RECEIVERS[name] : undefined;
  if (preset !== undefined) world.state.faults.push({ ...preset.fault });
  else if (receivers !== undefined)
    for (const inbox of Object.values(world.state.inboxes))
      inbox.answer = { status: receivers.status, times: receivers.times, delay_ms: 0 };
  else throw new Error(`There is no button ${name}.`);
}

/** Clears all faults. */
export function clearFaults(world: World): void {
  world.state.faults = [];
  for (const inbox of Object.values(world.state.inboxes)) inbox.answer = { status: 200, times: null, delay_ms: 0 };
}

/** The current faults, so that they are not forgotten. */
export function faultsSet(world: World): Cell {
  const calls = world.state.faults.map(
    ({ target, call, kind, times }) => html`<li><code>${call}</code> at the ${target}: ${kind}, ${times} more</li>`,
  );
  const receivers = Object.entries(world.state.inboxes).flatMap(([name, { answer }]) =>
    answer.status < 300
      ? []
      : [html`<li>inbox ${name}: answers ${answer.status}${answer.times === null ? "" : `, ${answer.times} more`}</li>`],
  );
  if (calls.length + receivers.length === 0) return "";
  return html`<div class="said"><strong>Set to fail</strong><ul>${calls}${receivers}</ul>
<form method="post" action="/act/clear-faults/all"><button>Clear</button></form></div>`;
}

/** The buttons. */
export function faultButtons(): Cell {
  const named = [...Object.entries(PRESETS), ...Object.entries(RECEIVERS)];
  return html`<details class="row"><summary>Make something fail</summary><div class="buttons">
${named.map(([name, { label }]) => html`<form method="post" action="/act/fail/${name}"><button>${label}</button></form>`)}</div></details>`;
}
