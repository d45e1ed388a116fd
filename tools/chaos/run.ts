import { endingItself } from "../local/interruption.ts";
import { UserFault } from "../local/processes.ts";
import { Answers } from "./auditor/answers.ts";
import { openBooks } from "./auditor/books.ts";
import { audit, auditClosedMonths } from "./auditor/index.ts";
import type { Violation } from "./auditor/violation.ts";
import type { World } from "./auditor/world.ts";
import { happenLater, type Payments, payFor } from "./customers.ts";
import { type Disturbed, disturbOnce, endDisturbances, killRuntime } from "./disturbances.ts";
import { finishFeed, readFeed } from "./feed.ts";
import { History } from "./history.ts";
import { newOrder, type Order, sendOrder } from "./orders.ts";
import { makePartners, type Partner } from "./partners.ts";
import { Random } from "./random.ts";
import { closeMonths, settle } from "./settle.ts";
import { ChaosSystem } from "./system.ts";

export interface RunOptions {
  readonly seed: number;
  readonly minutes: number;
  /**
   * The number of databases for partners' data. With more than one, partners move, and a database may become
   * unreachable.
   */
  readonly cells: number;
  /** The planted defect, to test the auditor; empty for none. */
  readonly broken: string;
  /** Gets a progress line now and then. */
  readonly progress: (line: string) => void;
}

export interface RunResult {
  readonly violations: readonly Violation[];
  readonly history: History;
  readonly figures: Readonly<Record<string, number>>;
  /** Milliseconds from the end of all faults until nothing was in progress. */
  readonly settledIn: number;
}

/** The number of parallel sellers; each waits for its answers. */
const SELLERS = 4;
/** The maximum pause of a seller before its next order, in milliseconds. */
const PAUSE = 1_500;
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Disturbs a whole stack at random, brings it to rest, and audits it. A signal ends it and all its processes. */
export async function runChaos(options: RunOptions): Promise<RunResult> {
  return endingItself(async (interruption) => {
    const system = await ChaosSystem.open(options.broken, options.cells);
    const interrupted = interruption.then(() => {
      throw new UserFault("A signal stopped it.");
    });
    try {
      return await Promise.race([runIn(system, options), interrupted]);
    } finally {
      await system.close();
    }
  });
}

async function runIn(system: ChaosSystem, { seed, minutes, progress }: RunOptions): Promise<RunResult> {
  const history = new History();
  const answers = new Answers(ChaosSystem.description());
  const receivers = { system, answers };
  const partners = await makePartners(receivers);
  const orders: Order[] = [];
  const payments: Payments = { paid: [], pending: [], subscriptions: [], disputes: [], refunds: [], bankOrders: [], references: 0 };
  const until = Date.now() + minutes * 60_000;
  const stage: Stage = { system, history, answers, receivers, partners, moves: [], orders, payments, until };
  const sellers = Array.from({ length: SELLERS }, (_, index) => sell(stage, new Random(seed * 31 + index), `${seed}-${index}`));
  const others = [
    pay(stage, new Random(seed * 31 + 7)),
    disturbed(stage, new Random(seed * 31 + 8)),
    kill(stage, new Random(seed * 31 + 9)),
    ...partners.map((partner, index) => follow(stage, partner, new Random(seed * 31 + 10 + index))),
  ];
  const ended = await Promise.allSettled([...sellers, ...others, runCron(stage), report(stage, progress)]);
  for (const one of ended) if (one.status === "rejected") throw one.reason;

  progress("Nothing fails any more; the service comes to rest …");
  const began = Date.now();
  await endDisturbances(stage);
  await settle(system);
  const settledIn = Date.now() - began;
  for (const partner of partners) await finishFeed(system, partner, new Random(seed));
  await system.closeEdge();
  const found = auditAll(stage);
  progress("The months of the run are closed …");
  await system.start();
  await closeMonths(system, partners);
  await system.closeEdge();
  return { ...found, violations: [...found.violations, ...auditMonths(stage)], settledIn };
}

/** Compares all data, and counts what happened. */
function auditAll(stage: Stage): Omit<RunResult, "settledIn"> {
  const { system, history, answers, orders, partners } = stage;
  const books = openBooks(system.stores);
  try {
    const world = worldOf(stage);
    const { things, received } = world;
    const violations = [...answers.violations, ...audit(books, world)];
    const count = (kind: string) => things.filter(({ object }) => object === kind).length;
    const figures = {
      orders: orders.length,
      answered: orders.filter(({ made }) => made.length > 0).length,
      payments: count("payment_intent"),
      movements: count("balance_transaction"),
      "payments at the bank": count("bank_payment"),
      "events in feeds": partners.reduce((sum, { feed }) => sum + feed.seen.size, 0),
      deliveries: [...received.values()].reduce((sum, all) => sum + all.length, 0),
      kills: system.kills,
      ...(system.cells === 1
        ? {}
        : { "moves and splits": system.log.filter((line) => /"message":"partner (moved|split)"/.test(line)).length }),
      disturbances: history.entries.filter(({ actor }) => ["disturbance", "operator", "receiver"].includes(actor)).length,
      answers: answers.count,
      "lines of the log": system.log.length,
    };
    return { violations, history, figures };
  } finally {
    books.close();
  }
}

/** Compares the closed statements. */
function auditMonths(stage: Stage): Violation[] {
  const books = openBooks(stage.system.stores);
  try {
    return auditClosedMonths(books, worldOf(stage));
  } finally {
    books.close();
  }
}

function worldOf({ system, partners, orders }: Stage): World {
  const { objects, inboxes, lines } = system.world;
  const received = new Map(Object.entries(inboxes).map(([name, inbox]) => [name, inbox.received]));
  return { things: Object.values(objects), lines, received, partners, orders, log: system.log };
}

interface Stage extends Disturbed {
  readonly answers: Answers;
  readonly orders: Order[];
  readonly payments: Payments;
  /** Milliseconds. */
  readonly until: number;
}

/**
 * A partner's program: orders, repeats at once and later, hangs up, and sometimes sends other content under a used
 * token.
 */
async function sell({ system, history, answers, partners, orders, until }: Stage, random: Random, name: string): Promise<void> {
  for (let number = 1; Date.now() < until; number += 1) {
    await sleep(random.between(0, PAUSE));
    const partner = random.pick(partners);
    if (partner === undefined) return;
    const order = newOrder(random, partner, `order-${name}-${number}`);
    orders.push(order);
    const send = (other = false) =>
      sendOrder(system, history, answers, order, { cutAfter: random.happens(0.15) ? random.between(1, 150) : null, other });
    await Promise.all(Array.from({ length: random.happens(0.2) ? random.between(2, 4) : 1 }, () => send()));
    while (order.made.length === 0 && random.happens(0.8) && Date.now() < until) {
      await sleep(random.between(0, 300));
      await send();
    }
    if (order.made.length > 0 && random.happens(0.2)) await send();
    if (order.made.length > 0 && random.happens(0.05)) await send(true);
    const earlier = random.pick(orders);
    if (earlier !== undefined && random.happens(0.1)) await sendOrder(system, history, answers, earlier, { cutAfter: null });
  }
}

/** Customers: they pay soon or later, or never; then refunds, disputes and renewals come. */
async function pay({ system, history, orders, payments, until }: Stage, random: Random): Promise<void> {
  let next = 0;
  while (Date.now() < until) {
    const order = orders[next];
    if (order === undefined || (order.payAt === null && orders.length - next < 3 * SELLERS)) await sleep(20);
    else {
      next += 1;
      if (random.happens(0.7)) await payFor(system, history, random, payments, order);
      if (random.happens(0.3)) await happenLater(system, history, random, payments);
    }
  }
}

/** All disturbances besides kills, so that several may happen at once. */
async function disturbed(stage: Stage, random: Random): Promise<void> {
  while (Date.now() < stage.until) {
    await sleep(random.between(200, 3_000));
    await disturbOnce(stage, random).catch((thrown: unknown) => {
      stage.history.note("disturbance", "something could not be done", [], thrown instanceof Error ? thrown.message.slice(0, 200) : "");
    });
  }
}

/** A partner's program that pulls the events. */
async function follow({ system, until }: Stage, partner: Partner, random: Random): Promise<void> {
  while (Date.now() < until) {
    await sleep(random.between(100, 1_500));
    await readFeed(system, partner, random);
  }
}

async function kill(stage: Stage, random: Random): Promise<void> {
  while (Date.now() < stage.until) {
    await sleep(random.between(1_000, 12_000));
    if (Date.now() < stage.until) await killRuntime(stage);
  }
}

/** The platform runs the cron every minute; here it runs more often. */
async function runCron({ system, until }: Stage): Promise<void> {
  while (Date.now() < until) {
    await sleep(3_000);
    await system.cron().catch(() => undefined);
  }
}

async function report({ system, orders, until }: Stage, progress: (line: string) => void): Promise<void> {
  for (let seconds = 0; Date.now() < until; seconds += 1) {
    await sleep(1_000);
    if (seconds % 30 === 29) progress(`${orders.length} orders, ${system.kills} kills, ${Math.ceil((until - Date.now()) / 1_000)} s to go`);
  }
}
