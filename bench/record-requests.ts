import { createHmac } from "node:crypto";
import { buildSandbox } from "../sandbox/app.ts";
import { localSecrets } from "../sandbox/local-settings.ts";
import { emptyState } from "../sandbox/state.ts";
import type { World } from "../sandbox/world.ts";
import { systemClock } from "../src/core/clock.ts";
import type { Bindings } from "../src/env.ts";
import { record } from "./record-steps.ts";
import { requestText } from "./sockets.ts";
import { idsOf, partsOf, type Recording, type Step, type Text, withOtherIds } from "./steps.ts";
import upstream from "./upstream.ts";

/** An answer of the processor to a look-up. */
interface Answer {
  readonly url: Text;
  readonly parts: Text;
}

export interface RecordedEvent {
  readonly recording: Recording;
  readonly answers: readonly Answer[];
  /** The request with another payment's event each time. */
  readonly request: (suffix: string) => string;
}

/** Eight characters, different each time. */
export function newSuffix(): string {
  made += 1;
  return String(made).padStart(8, "0");
}

let made = 0;

/** A few requests in a hundred also count their day's records. Two in a row without that are soon found. */
const TRIES = 8;

/** The product's steps for a request to an operation, with another token each time. */
export async function recordOperation(bindings: Bindings, request: (token: string) => Request, tries = TRIES): Promise<Recording> {
  const once = () => record(bindings, (call) => upstream.fetch(call as Parameters<typeof upstream.fetch>[0]), request(crypto.randomUUID()));
  const [one, two] = [await once(), await once()];
  try {
    return withOtherIds(one, two);
  } catch (thrown) {
    if (tries === 1) throw thrown;
    return recordOperation(bindings, request, tries - 1);
  }
}

/** The product's steps from an event to the ledger, for two payments of a link at the sandbox. */
export async function recordEvent(bindings: Bindings, type: string, edge: string): Promise<RecordedEvent> {
  const events: string[] = [];
  const tasks: (() => Promise<void>)[] = [];
  const world: World = {
    state: emptyState(),
    clock: systemClock,
    origin: "https://processor.example",
    edge,
    balanceDelay: 0,
    eventSecrets: { live: localSecrets.PROCESSOR_EVENT_SECRET_LIVE, test: localSecrets.PROCESSOR_EVENT_SECRET_TEST },
    async fetch(_url, init) {
      if (typeof init?.body === "string") events.push(init.body);
      return new Response("received");
    },
    later: (_delay, task) => void tasks.push(task),
    wait: () => Promise.resolve(),
  };
  const sandbox = buildSandbox(world);
  const link = await linkAt(sandbox);
  const recorded: { readonly steps: Awaited<ReturnType<typeof record>>; readonly event: string }[] = [];
  for (let payment = 0; payment < 2; payment += 1) {
    events.length = 0;
    await sandbox.request("/control/pay", { method: "POST", body: JSON.stringify({ payment_link_id: link }) });
    for (const task of tasks.splice(0)) await task();
    const event = events.find((body) => body.includes(`"type":"${type}"`));
    if (event === undefined) throw new Error(`the sandbox sent no ${type}`);
    const request = new Request(`${edge}${PATH}`, { method: "POST", body: event, headers: { "Stripe-Signature": signatureOf(event) } });
    recorded.push({ steps: await record(bindings, async (call) => sandbox.fetch(call), request), event });
  }
  const [one, two] = recorded;
  if (one === undefined || two === undefined) throw new Error("no payment was recorded");
  const recording = withOtherIds(one.steps, two.steps);
  const parts = partsOf(one.event, idsOf(one.event, two.event));
  return {
    recording,
    answers: recording.consumer.filter(isCall).map(({ url, answer }) => ({ url: withoutOrigin(url), parts: answer })),
    request: (suffix) => eventRequest(parts.join(suffix)),
  };
}

const PATH = "/ingest/processor/test";

const isCall = (step: Step) => step.to === "fetch";

function withoutOrigin([first = "", ...others]: Text): Text {
  return [first.replace(/^https:\/\/[^/]+/, ""), ...others];
}

/** The delivery of an event of the processor's test environment, signed now. */
export function eventRequest(body: string): string {
  return requestText("POST", PATH, { "Stripe-Signature": signatureOf(body), "Content-Type": "application/json" }, body);
}

function signatureOf(body: string): string {
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", localSecrets.PROCESSOR_EVENT_SECRET_TEST).update(`${time}.${body}`).digest("hex");
  return `t=${time},v1=${signature}`;
}

/** A link of acme at the sandbox, as the product makes it. */
async function linkAt(sandbox: ReturnType<typeof buildSandbox>): Promise<string> {
  const form = new URLSearchParams({
    "line_items[0][price_data][product]": "prod_acmeTestUsd1",
    "line_items[0][price_data][currency]": "usd",
    "line_items[0][price_data][unit_amount]": "1900",
    "line_items[0][quantity]": "1",
    "metadata[partner_id]": "acme",
    "payment_intent_data[metadata][partner_id]": "acme",
  });
  const headers = { Authorization: `Bearer ${localSecrets.PROCESSOR_KEY_TEST}` };
  const answer: unknown = await (await sandbox.request("/v1/payment_links", { method: "POST", body: form, headers })).json();
  if (typeof answer !== "object" || answer === null || !("id" in answer))
    throw new Error(`the sandbox made no link: ${JSON.stringify(answer)}`);
  return String(answer.id);
}
