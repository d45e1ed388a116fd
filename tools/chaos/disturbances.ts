import type { History } from "./history.ts";
import {
  changeFurther,
  completeShortLinks,
  endMoves,
  movePartner,
  operate,
  type Partner,
  type Receivers,
  registerReceiver,
  removeFurther,
  rotateSecret,
} from "./partners.ts";
import type { Random } from "./random.ts";
import { type ChaosSystem, NO_FAILURES } from "./system.ts";

/** Calls that fail: creations, compensations, and reads of the ledger. */
const PROCESSOR_CALLS = [
  "payment_links.create",
  "payment_links.line_items",
  "payment_links.update",
  "prices.create",
  "coupons.create",
  "coupons.delete",
  "promotion_codes.create",
  "payment_intents.retrieve",
  "charges.retrieve",
  "balance_transactions.list",
  "events.list",
  "subscriptions.retrieve",
];
const BANK_CALLS = ["bank.Init", "bank.GetQr", "bank.GetState", "bank.CheckOrder", "bank.Cancel"];
const KINDS = ["http_500", "http_429", "http_400", "reset", "reset_after", "timeout"];
/** Delays of an answer in milliseconds: a little, or more than the Worker waits. */
const LATE = [200, 200, 9_000];

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface Disturbed {
  readonly system: ChaosSystem;
  readonly history: History;
  readonly partners: readonly Partner[];
  readonly receivers: Receivers;
  /** Requested moves: each ends with its answer. */
  readonly moves: Promise<void>[];
}

/** Kills the runtime, as the loss of a machine would. */
export async function killRuntime({ system, history }: Disturbed): Promise<void> {
  history.note("disturbance", "the runtime is killed", [], "");
  await system.kill();
  history.note("disturbance", "the runtime is up again", [], "");
}

/** One other disturbance of the service. It may be refused, because the runtime is down. */
export async function disturbOnce(disturbed: Disturbed, random: Random): Promise<void> {
  const partner = random.pick(disturbed.partners);
  if (partner === undefined) return;
  await random.weighted([
    [5, () => failCalls(disturbed, random)],
    [3, () => failStores(disturbed, random)],
    [1, () => setClockWrong(disturbed, random)],
    [3, () => disturbEvents(disturbed, random)],
    [3, () => disturbReceiver(disturbed, random, partner)],
    [1, () => moveReceiver(disturbed, partner)],
    [1, () => rotate(disturbed, random, partner)],
    [2, () => changeWebhooks(disturbed, random, partner)],
    [1, () => suspend(disturbed, random, partner)],
    [1, () => disable(disturbed, random, partner)],
    [disturbed.system.cells > 1 ? 6 : 0, () => move(disturbed, random, partner)],
    [disturbed.system.cells > 1 ? 2 : 0, () => loseCell(disturbed, random)],
  ] as const)();
}

async function failCalls({ system, history }: Disturbed, random: Random): Promise<void> {
  const isBank = random.happens(0.3);
  const call = random.pick(isBank ? BANK_CALLS : PROCESSOR_CALLS) ?? "";
  const kind = random.pick(KINDS) ?? "";
  const fault = { target: isBank ? "bank" : "processor", call, times: random.between(1, 3), kind, ms: random.pick(LATE) ?? 0 };
  await system.control("/faults", fault);
  history.note("disturbance", `${call} fails ${fault.times} times: ${kind}`, [], "");
}

async function failStores({ system, history }: Disturbed, random: Random): Promise<void> {
  const shares = { d1: random.pick([0, 0.2, 0.5]) ?? 0, kv: random.pick([0, 0.5]) ?? 0, r2: random.pick([0, 0.5]) ?? 0 };
  await system.fail({ ...NO_FAILURES, ...shares });
  history.note("disturbance", `stores fail: ${JSON.stringify(shares)}`, [], "");
  await sleep(random.between(300, 2_000));
  await system.fail(NO_FAILURES);
  history.note("disturbance", "stores work again", [], "");
}

async function setClockWrong({ system, history }: Disturbed, random: Random): Promise<void> {
  const clock = 1_000 * random.between(-45, 45);
  await system.fail({ ...NO_FAILURES, clock });
  history.note("disturbance", `the clock is wrong by ${clock} ms`, [], "");
  await sleep(random.between(300, 2_000));
  await system.fail(NO_FAILURES);
}

async function disturbEvents({ system, history }: Disturbed, random: Random): Promise<void> {
  const hold = random.happens(0.4);
  history.note("disturbance", hold ? "events are held" : "events come, some twice and in any order", [], "");
  const environment = random.pick(["live", "test", "test"]) ?? "test";
  await system.control("/events", { environment, hold, duplicate: random.between(0, 1), shuffle: random.happens(0.5) });
  if (!hold) return;
  await sleep(random.between(500, 3_000));
  await system.control("/events", { environment, hold: false });
}

async function disturbReceiver({ system, history }: Disturbed, random: Random, partner: Partner): Promise<void> {
  const inbox = (random.happens(0.5) ? partner.inboxes : partner.furtherInboxes).at(-1) ?? "";
  const status = random.pick([500, 503, 404, 301, 200]) ?? 500;
  await system.control(`/inbox/${inbox}`, { status, times: random.between(1, 10), delay_ms: random.pick([0, 0, 500]) ?? 0 });
  history.note("receiver", `answers ${status}`, [partner.id], "");
}

async function moveReceiver({ history, receivers }: Disturbed, partner: Partner): Promise<void> {
  const isKnown = await registerReceiver(receivers, partner);
  history.note("partner", "moves its receiver", [partner.id], isKnown ? "success" : "no success");
}

/** The further webhook is moved, removed, or added again. */
async function changeWebhooks({ system, history, receivers }: Disturbed, random: Random, partner: Partner): Promise<void> {
  if (random.happens(0.5)) {
    history.note("partner", "changes its further webhook", [partner.id], await changeFurther(receivers, partner));
    return;
  }
  const isRemoved = await removeFurther(system, partner);
  history.note("partner", "removes its further webhook", [partner.id], isRemoved ? "success" : "no success");
}

async function rotate({ history, receivers }: Disturbed, random: Random, partner: Partner): Promise<void> {
  const token = `rotation-${random.between(1, 1e9)}`;
  await rotateSecret(receivers, partner, token);
  history.note("partner", "has its secret rotated", [token, partner.id], "success");
}

async function suspend({ system, history }: Disturbed, random: Random, partner: Partner): Promise<void> {
  history.note("operator", "suspends a receiver", [partner.id], "");
  await operate(system, `endpoints/ep_${partner.id}_test/suspend`, {});
  await sleep(random.between(300, 2_000));
  await operate(system, `endpoints/ep_${partner.id}_test/resume`, {});
}

async function disable({ system, history }: Disturbed, random: Random, partner: Partner): Promise<void> {
  history.note("operator", "disables a partner", [partner.id], "");
  await operate(system, `partners/${partner.id}/disable`, {});
  await sleep(random.between(300, 1_500));
  await operate(system, `partners/${partner.id}/enable`, {});
}

/**
 * A partner moves to another cell, or is split by time. The run does not wait for it, so everything else may happen
 * during the move.
 */
function move({ system, history, moves }: Disturbed, random: Random, partner: Partner): Promise<void> {
  const to = String(random.between(1, system.cells)).padStart(2, "0");
  const how = random.happens(0.3) ? "split" : "move";
  history.note("operator", `begins to ${how} a partner, to cell ${to}`, [partner.id], "");
  const note = (what: string) => history.note("operator", `the ${how} to cell ${to}: ${what}`, [partner.id], "");
  const answered = movePartner(system, partner, how, to).then(
    () => note("well so far"),
    (thrown: unknown) => note(thrown instanceof Error ? thrown.message.slice(0, 200) : ""),
  );
  moves.push(answered);
  return Promise.resolve();
}

async function loseCell({ system, history }: Disturbed, random: Random): Promise<void> {
  const lost = `CELL_${random.between(1, system.cells)}`;
  await system.fail({ ...NO_FAILURES, lost: [lost] });
  history.note("disturbance", `${lost} is out of reach`, [], "");
  await sleep(random.between(500, 4_000));
  await system.fail(NO_FAILURES);
  history.note("disturbance", `${lost} is there again`, [], "");
}

/** Ends all faults, so that the service can come to rest. */
export async function endDisturbances({ system, partners, receivers, moves }: Disturbed): Promise<void> {
  await system.started();
  await system.fail(NO_FAILURES);
  await fetch(`${system.sandbox}/control/faults`, { method: "DELETE" });
  for (const environment of ["live", "test"]) await system.control("/events", { environment, hold: false, duplicate: 0, shuffle: false });
  await Promise.all(moves);
  await endMoves(system);
  for (const partner of partners) {
    for (const inbox of [...partner.inboxes, ...partner.furtherInboxes])
      await system.control(`/inbox/${inbox}`, { status: 200, times: null, delay_ms: 0 });
    await operate(system, `partners/${partner.id}/enable`, {});
    await operate(system, `endpoints/ep_${partner.id}_test/resume`, {});
    if (!(await registerReceiver(receivers, partner))) throw new Error(`${partner.id} could not register a receiver, with nothing failing`);
  }
  await completeShortLinks(system);
}
