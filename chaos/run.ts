import { Answers } from "./auditor/answers.ts";
import { openBooks } from "./auditor/books.ts";
import { audit } from "./auditor/index.ts";
import type { Violation } from "./auditor/violation.ts";
import type { Thing } from "./auditor/world.ts";
import { happenLater, payFor, type Till } from "./customers.ts";
import { History } from "./history.ts";
import { House } from "./house.ts";
import { newOrder, type Order, sendOrder } from "./orders.ts";
import { makePartners, type Partner } from "./partners.ts";
import { Random } from "./random.ts";
import { settle } from "./settle.ts";
import { clearUp, somethingHappens } from "./weather.ts";

export interface RunOptions {
  readonly seed: number;
  readonly minutes: number;
  /** The break that is built in to try the auditor; empty for none. */
  readonly broken: string;
  /** Gets a line now and then. */
  readonly progress: (line: string) => void;
}

export interface RunResult {
  readonly violations: readonly Violation[];
  readonly history: History;
  readonly figures: Readonly<
    Record<"orders" | "answered" | "payments" | "movements" | "deliveries" | "kills" | "faults" | "answers" | "settledIn", number>
  >;
}

/** Partners that sell at the same time; each waits for its answers. */
const SELLERS = 4;
/** Milliseconds that a seller waits at most before its next order. */
const PAUSE = 1_500;
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Lets chance loose on a whole stack, brings it to rest, and has the books audited. */
export async function runChaos({ seed, minutes, broken, progress }: RunOptions): Promise<RunResult> {
  const house = await House.open(broken);
  try {
    const history = new History();
    const answers = new Answers(House.description());
    const partners = await makePartners(house);
    const orders: Order[] = [];
    const till: Till = { paid: [], pending: [], subscriptions: [], disputes: [], references: 0 };
    const until = Date.now() + minutes * 60_000;
    const stage = { house, history, answers, partners, orders, till, until };
    const sellers = Array.from({ length: SELLERS }, (_, index) => sell(stage, new Random(seed * 31 + index), `${seed}-${index}`));
    await Promise.all([
      ...sellers,
      pay(stage, new Random(seed * 31 + 7)),
      rage(stage, new Random(seed * 31 + 8)),
      beat(stage),
      tell(stage, progress),
    ]);
    progress("The weather clears up; the service comes to rest …");
    const began = Date.now();
    await clearUp(house, partners);
    await settle(house);
    const settledIn = Date.now() - began;
    await house.closeEdge();

    const books = openBooks(house.stores);
    const things = Object.values(house.world.objects) as unknown as Thing[];
    const received = new Map(Object.entries(house.world.inboxes).map(([name, inbox]) => [name, inbox.received]));
    const violations = [...answers.violations, ...audit(books, { things, received, partners, orders, log: house.log })];
    const count = (sql: string) => books.rows(sql).reduce((sum, row) => sum + Number(row.count), 0);
    return {
      violations,
      history,
      figures: {
        orders: orders.length,
        answered: orders.filter(({ made }) => made.length > 0).length,
        payments: things.filter(({ object }) => object === "payment_intent").length,
        movements: count("SELECT count(*) AS count FROM movements"),
        deliveries: [...received.values()].reduce((sum, all) => sum + all.length, 0),
        kills: house.kills,
        faults: history.entries.filter(({ actor }) => actor === "weather").length,
        answers: answers.count,
        settledIn,
      },
    };
  } finally {
    await house.close();
  }
}

interface Stage {
  readonly house: House;
  readonly history: History;
  readonly answers: Answers;
  readonly partners: readonly Partner[];
  readonly orders: Order[];
  readonly till: Till;
  /** Milliseconds. */
  readonly until: number;
}

/** A partner's program: orders, repeats at once and later, hangs up, sometimes sends another content under a used token. */
async function sell({ house, history, answers, partners, orders, until }: Stage, random: Random, name: string): Promise<void> {
  for (let number = 1; Date.now() < until; number += 1) {
    await sleep(random.between(0, PAUSE));
    const partner = random.pick(partners);
    if (partner === undefined) return;
    const order = newOrder(random, partner, `order-${name}-${number}`);
    orders.push(order);
    const send = (other = false) =>
      sendOrder(house, history, answers, order, { cutAfter: random.happens(0.15) ? random.between(1, 150) : null, other });
    await Promise.all(Array.from({ length: random.happens(0.2) ? random.between(2, 4) : 1 }, () => send()));
    while (order.made.length === 0 && random.happens(0.8) && Date.now() < until) {
      await sleep(random.between(0, 300));
      await send();
    }
    if (order.made.length > 0 && random.happens(0.2)) await send();
    if (order.made.length > 0 && random.happens(0.05)) await send(true);
    const earlier = random.pick(orders);
    if (earlier !== undefined && random.happens(0.1)) await sendOrder(house, history, answers, earlier, { cutAfter: null });
  }
}

/** Customers: they pay soon or later, or never; then refunds, disputes and renewals come. */
async function pay({ house, history, orders, till, until }: Stage, random: Random): Promise<void> {
  let next = 0;
  while (Date.now() < until) {
    const order = orders[next];
    if (order === undefined || (order.payAt === null && orders.length - next < 3 * SELLERS)) await sleep(20);
    else {
      next += 1;
      if (random.happens(0.7)) await payFor(house, history, random, till, order);
      if (random.happens(0.3)) await happenLater(house, history, random, till);
    }
  }
}

async function rage({ house, history, partners, until }: Stage, random: Random): Promise<void> {
  while (Date.now() < until) {
    await sleep(random.between(200, 3_000));
    await somethingHappens(house, history, random, partners).catch((thrown: unknown) => {
      history.note("weather", "something could not be done", [], thrown instanceof Error ? thrown.message.slice(0, 200) : "");
    });
  }
}

/** The cron, which the platform starts each minute, more often. */
async function beat({ house, until }: Stage): Promise<void> {
  while (Date.now() < until) {
    await sleep(3_000);
    await house.cron().catch(() => undefined);
  }
}

async function tell({ house, orders, until }: Stage, progress: (line: string) => void): Promise<void> {
  for (let seconds = 0; Date.now() < until; seconds += 1) {
    await sleep(1_000);
    if (seconds % 30 === 29) progress(`${orders.length} orders, ${house.kills} kills, ${Math.ceil((until - Date.now()) / 1_000)} s to go`);
  }
}
