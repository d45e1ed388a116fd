import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { idempotencyRecords } from "../../src/db/schema/index.ts";
import { completeShortLinkManually } from "../../src/links/complete-short-link.ts";
import { ANNA } from "../support/actor.ts";
import type { Answer } from "../support/answer.ts";
import { callV1, LINK, link } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { crashAt, cutOffAround } from "../support/crash.ts";
import { cron } from "../support/cron.ts";
import { HOUR, MINUTE, realTime } from "../support/later.ts";
import { resetEffects } from "../support/observe.ts";
import { isFull } from "../support/scale.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, objects } from "../support/stack.ts";
import { deleteRows } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";
import { type Body, type Disturbance, type Expected, Model } from "./model.ts";

afterEach(() => {
  resetEffects();
  realTime();
});

type Command =
  | {
      readonly kind: "request";
      readonly key: string;
      readonly body: Body;
      readonly disturbance: Disturbance;
      readonly times: number;
      readonly step: number;
    }
  | { readonly kind: "at_once"; readonly key: string; readonly body: Body }
  | { readonly kind: "manual"; readonly key: string }
  | { readonly kind: "wait"; readonly hours: number; readonly withCron: boolean };

/** In hours. No sum of them, half an hour each added, comes near the 23 and 24 hours at which something changes. */
const WAITS = [5, 22.9, 26, 48] as const;

const key = fc.constantFrom("one", "two");
const body = fc.constantFrom<Body>("A", "A", "A", "B");
const disturbance = fc.constantFrom<Disturbance>(
  "none",
  "none",
  "crash",
  "cut_off_before",
  "cut_off_after",
  "answer_lost",
  "refused",
  "refused",
  "outage",
  "kept_failure",
  "kept_outage",
  "all_answers_lost",
  "line_outage",
  "no_short_link",
);
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("request" as const),
      key,
      body,
      disturbance,
      times: fc.constantFrom(1, 1, 1, 2, 6),
      step: fc.nat(11),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("at_once" as const), key, body }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("manual" as const), key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.constantFrom(...WAITS), withCron: fc.boolean() }) },
);

const BODIES = { A: { price: { unit_amount: 100 } }, B: { price: { unit_amount: 200 } } };
const STEPS = 6;

/** Sets up what is to happen during the next request. Gives what undoes it. */
async function disturb(kind: Disturbance, step: number): Promise<() => void> {
  const fault = (call: string, how: string, times: number, more: object = {}) =>
    control("/faults", { target: "processor", call, kind: how, times, ...more });
  const moment = step < STEPS ? "before" : "after";
  if (kind === "crash") crashAt(step % STEPS, moment);
  if (kind === "cut_off_before") cutOffAround("processor", "before");
  if (kind === "cut_off_after") cutOffAround("processor", "after");
  if (kind === "answer_lost") await fault("payment_links.create", "reset_after", 1);
  if (kind === "refused") await fault("payment_links.create", "http_400", 1);
  if (kind === "outage") await fault("payment_links.create", "http_500", 99);
  if (kind === "kept_failure") await fault("payment_links.create", "http_500", 1, { stored: true });
  if (kind === "kept_outage") await fault("payment_links.create", "http_500", 99, { stored: true });
  if (kind === "all_answers_lost") await fault("payment_links.create", "reset_after", 99);
  if (kind === "line_outage") await fault("payment_links.line_items", "http_500", 99);
  return kind === "no_short_link" ? breakShortLinks().mend : () => undefined;
}

/** The two in step: what the service answers is what the model says, and the processor holds as many links. */
class Comparison {
  readonly #model = new Model();
  readonly #run = crypto.randomUUID();
  readonly #jump: (milliseconds: number) => void;

  constructor(jump: (milliseconds: number) => void) {
    this.#jump = jump;
  }

  async perform(command: Command): Promise<void> {
    switch (command.kind) {
      case "request":
        for (let time = 0; time < command.times; time += 1) await this.#request(command);
        break;
      case "at_once":
        await this.#atOnce(command.key, command.body);
        break;
      case "manual":
        await this.#manual(command.key);
        break;
      case "wait":
        await this.#wait(command);
    }
    expect(await this.#links()).toHaveLength(this.#model.links);
  }

  async #request({ key: name, body: wanted, disturbance: kind, step }: Extract<Command, { kind: "request" }>): Promise<void> {
    const expected = this.#model.request(name, wanted, kind, Date.now());
    const undo = await disturb(kind, step);
    const answer = await this.#send(name, wanted);
    undo();
    resetEffects();
    await control("/faults", undefined, "DELETE");
    expect(await this.#read(answer)).toEqual(expected);
  }

  async #atOnce(name: string, wanted: Body): Promise<void> {
    const first = this.#model.request(name, wanted, "none", Date.now());
    const others = Array.from({ length: 4 }, () => this.#model.request(name, wanted, "none", Date.now()));
    const answers = await Promise.all([first, ...others].map(() => this.#send(name, wanted)));
    const read = await Promise.all(answers.map((answer) => this.#read(answer)));
    const sorted = (list: readonly object[]) => list.map((entry) => JSON.stringify(entry)).toSorted(compare);
    expect(sorted(read)).toEqual(sorted([first, ...others]));
  }

  async #manual(name: string): Promise<void> {
    const linkNumber = this.#model.manual(name, Date.now());
    if (linkNumber === undefined) return;
    const waiting = (await this.#links())[linkNumber - 1];
    expect(await completeShortLinkManually(cellDeps(), waiting?.id ?? "", ANNA)).toMatch(/^01\w{14}$/);
  }

  async #wait({ hours, withCron }: Extract<Command, { kind: "wait" }>): Promise<void> {
    this.#jump(30 * MINUTE);
    if (withCron) {
      await cron.sweep("unfinished_operations", "compensations");
      this.#model.cron(Date.now());
    }
    this.#jump(hours * HOUR);
  }

  #send(name: string, wanted: Body) {
    return callV1(LINK, link({ ...BODIES[wanted], idempotency_key: `${this.#run} ${name}` }));
  }

  async #read({ body: answer }: Answer): Promise<Expected> {
    if (answer.success !== true) return { outcome: answer.error_code };
    const linkNumber = 1 + (await this.#links()).findIndex(({ id }) => id === answer.processor_payment_link_id);
    return { outcome: "success", isReplay: answer.is_replay, retryCount: answer.retry_count, linkNumber };
  }

  /** Oldest first. */
  #links() {
    return objects("payment_links");
  }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : 1;
}

it("answers as the model does, whatever is asked, fails, dies or passes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { minLength: 3, maxLength: 12 }), async (commands) => {
      await control("/reset", {});
      // What an earlier history left unfinished is not this one's.
      await deleteRows(idempotencyRecords);
      const comparison = new Comparison(virtualTime());
      try {
        for (const each of commands) await comparison.perform(each);
      } finally {
        resetEffects();
        realTime();
      }
    }),
    { numRuns: isFull ? 50 : 2 },
  );
});
