import type { History } from "./history.ts";
import type { House } from "./house.ts";
import { operate, type Partner, registerReceiver, rotateSecret } from "./partners.ts";
import type { Random } from "./random.ts";

const CALLS = ["payment_links.create", "payment_links.line_items", "prices.create", "coupons.create", "promotion_codes.create"];
const BANK_CALLS = ["bank.Init", "bank.GetQr", "bank.GetState"];
const KINDS = ["http_500", "http_429", "reset", "reset_after", "timeout"];
const FAIR = { d1: 0, kv: 0, r2: 0, clock: 0 };

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What happens to the service by itself: once. */
export async function somethingHappens(house: House, history: History, random: Random, partners: readonly Partner[]): Promise<void> {
  const partner = random.pick(partners);
  if (partner === undefined) return;
  const note = (what: string, about: readonly string[] = []) => history.note("weather", what, about, "");
  await random.weighted([
    [
      8,
      async () => {
        note("the runtime is killed");
        await house.kill();
        note("the runtime is up again");
      },
    ],
    [
      5,
      async () => {
        const isBank = random.happens(0.3);
        const call = random.pick(isBank ? BANK_CALLS : CALLS) ?? "";
        const kind = random.pick(KINDS) ?? "";
        note(`${call}: ${kind}`);
        const target = isBank ? "bank" : "processor";
        const name = isBank ? call.slice("bank.".length) : call;
        await house.control("/faults", { target, call: name, times: random.between(1, 3), kind, ms: 200 }).catch(() => undefined);
      },
    ],
    [
      3,
      async () => {
        const hit = { d1: random.pick([0, 0.2, 0.5]) ?? 0, kv: random.pick([0, 0.5]) ?? 0, r2: random.pick([0, 0.5]) ?? 0 };
        note(`stores fail: ${JSON.stringify(hit)}`);
        await house.setWeather({ ...FAIR, ...hit });
        await sleep(random.between(300, 2_000));
        await house.setWeather(FAIR);
        note("stores work again");
      },
    ],
    [
      1,
      async () => {
        const clock = 1_000 * random.between(-45, 45);
        note(`the clock is wrong by ${clock} ms`);
        await house.setWeather({ ...FAIR, clock });
        await sleep(random.between(300, 2_000));
        await house.setWeather(FAIR);
      },
    ],
    [
      3,
      async () => {
        const hold = random.happens(0.4);
        note(hold ? "events are held" : "events come, some twice and in any order");
        await house.control("/events", { environment: "test", hold, duplicate: random.between(0, 1), shuffle: random.happens(0.5) });
        if (!hold) return;
        await sleep(random.between(500, 3_000));
        await house.control("/events", { environment: "test", hold: false });
      },
    ],
    [
      3,
      async () => {
        const inbox = partner.inboxes.at(-1) ?? "";
        const status = random.pick([500, 503, 404, 301, 200]) ?? 500;
        note(`a receiver answers ${status}`, [partner.id]);
        await house.control(`/inbox/${inbox}`, { status, times: random.between(1, 10), delay_ms: random.pick([0, 0, 500]) ?? 0 });
      },
    ],
    [
      1,
      () =>
        registerReceiver(house, partner).then((isKnown) => note(`a receiver moves${isKnown ? "" : ", without an answer"}`, [partner.id])),
    ],
    [
      1,
      async () => {
        const token = `rotation-${random.between(1, 1e9)}`;
        await rotateSecret(house, partner, token);
        note("a secret is rotated", [partner.id]);
      },
    ],
    [
      1,
      async () => {
        const endpoint = `endpoints/ep_${partner.id}_test`;
        note("an operator suspends a receiver", [partner.id]);
        await operate(house, `${endpoint}/suspend`, {}).catch(() => undefined);
        await sleep(random.between(300, 2_000));
        await operate(house, `${endpoint}/resume`, {}).catch(() => undefined);
      },
    ],
    [
      1,
      async () => {
        note("an operator disables a partner", [partner.id]);
        await operate(house, `partners/${partner.id}/disable`, {}).catch(() => undefined);
        await sleep(random.between(300, 1_500));
        await operate(house, `partners/${partner.id}/enable`, {}).catch(() => undefined);
      },
    ],
  ] as const)();
}

/** Ends everything that was made to fail, so that the service can come to rest. */
export async function clearUp(house: House, partners: readonly Partner[]): Promise<void> {
  await house.up();
  await house.setWeather(FAIR);
  await fetch(`${house.sandbox}/control/faults`, { method: "DELETE" });
  await house.control("/events", { environment: "test", hold: false, duplicate: 0, shuffle: false });
  for (const partner of partners) {
    for (const inbox of partner.inboxes) await house.control(`/inbox/${inbox}`, { status: 200, times: null, delay_ms: 0 });
    await operate(house, `partners/${partner.id}/enable`, {});
    await operate(house, `endpoints/ep_${partner.id}_test/resume`, {});
    if (!(await registerReceiver(house, partner))) throw new Error(`${partner.id} could not register a receiver in fair weather`);
  }
}
