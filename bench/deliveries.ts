import { messagesAtOnce } from "../src/core/message-queue.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { bodyOfOne, CELL, chunksOf, MOST_AT_ONCE, recordEvents, register } from "./delivery-stock.ts";
import { type Receivers, startReceivers } from "./receivers.ts";
import { type Runtime, startRuntime } from "./runtime.ts";
import { median } from "./sampling.ts";

/** One in this many endpoints hangs: its receiver accepts each request and does not answer. */
const ONE_IN = 5;
/** The number of parallel batches. The platform starts up to 250; this many saturate the cores of a machine. */
const BATCHES_AT_ONCE = 10;

interface Effort {
  readonly rounds: number;
  /** Events per round. */
  readonly events: number;
}

const WHOLE: Effort = { rounds: 3, events: 500 };

/**
 * Deliveries per second until they were answered and recorded; for the loop, answers per second. CPU: milliseconds per
 * delivery.
 */
interface Rates {
  /** Parallel batches, as the platform starts them. */
  readonly delivered: number;
  /** To the other receivers, while one in five hangs. */
  readonly besideHanging: number;
  /** By the local queue, which starts a batch only after the previous one has ended. */
  readonly byLocalQueue: number;
  /** Signed and sent by a Worker without records, with the same parallelism. */
  readonly loop: number;
  readonly cpu: number | null;
  readonly loopCpu: number | null;
}

/** Medians of the rounds: of the rates, and of their ratios to the loop's rate in the same round. */
export interface DeliveryResults extends Rates {
  readonly ratios: Readonly<Record<"delivered" | "besideHanging" | "byLocalQueue", number | null>>;
}

/**
 * Measures deliveries with all their records (a claim, a recorded attempt, a result), and compares them with a loop in
 * the same runtime that only signs and sends.
 */
export async function measureDeliveries(say: (line: string) => void, { rounds: count, events }: Effort = WHOLE): Promise<DeliveryResults> {
  const receivers = await startReceivers();
  const runtime = await startRuntime({ delivers: true });
  try {
    const rounds: Rates[] = [];
    for (let round = 0; round <= count; round += 1) {
      const rates = await measureRound(runtime, receivers, `${round}`, events);
      // The first round warms up and is not counted.
      if (round > 0) rounds.push(rates);
      say(round === 0 ? "warmed up" : `round ${round} of ${count} done`);
    }
    const of = (field: (rates: Rates) => number | null, decimals = 2) => median(rounds.map(field), decimals);
    const rate = (field: (rates: Rates) => number) => of(field, 0) ?? 0;
    return {
      delivered: rate(({ delivered }) => delivered),
      besideHanging: rate(({ besideHanging }) => besideHanging),
      byLocalQueue: rate(({ byLocalQueue }) => byLocalQueue),
      loop: rate(({ loop }) => loop),
      cpu: of(({ cpu }) => cpu),
      loopCpu: of(({ loopCpu }) => loopCpu),
      ratios: {
        delivered: of(({ delivered, loop }) => delivered / loop),
        besideHanging: of(({ besideHanging, loop }) => besideHanging / loop),
        byLocalQueue: of(({ byLocalQueue, loop }) => byLocalQueue / loop),
      },
    };
  } finally {
    receivers.releaseBatch();
    await runtime.close();
    receivers.close();
  }
}

async function measureRound(runtime: Runtime, receivers: Receivers, name: string, events: number): Promise<Rates> {
  const inBatches = (ids: readonly string[]) =>
    runtime.tellReference("batches", { databaseName: CELL, batches: chunksOf(ids, messagesAtOnce.deliveries), atOnce: BATCHES_AT_ONCE });
  const sent = async (ids: readonly string[]) => {
    for (const some of chunksOf(ids, MOST_AT_ONCE))
      await runtime.bindings.DELIVERIES.sendBatch(some.map((id) => ({ body: { databaseName: CELL, id } })));
  };
  /** Until this many were answered at once, and the consumer has ended. */
  const timed = async (answers: number, work: () => Promise<void>) => {
    const before = receivers.taken();
    const [startedAt, cpuBefore] = [performance.now(), runtimeCpuSeconds()];
    await work();
    while (receivers.taken() < before + answers) await new Promise((resolve) => setTimeout(resolve, 2));
    const [seconds, cpuAfter] = [(performance.now() - startedAt) / 1000, runtimeCpuSeconds()];
    const cpu = cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1000) / answers;
    return { rate: answers / seconds, cpu };
  };

  const healthy = await register(runtime, receivers.origin, name, () => false);
  const ids = await recordEvents(runtime, healthy, events);
  const delivered = await timed(events, () => inBatches(ids));
  const body = await bodyOfOne(runtime);
  const loop = await timed(events, () =>
    runtime.tellReference("deliveries", { endpoints: healthy, body, count: events, atOnce: BATCHES_AT_ONCE * messagesAtOnce.deliveries }),
  );
  const queued = await recordEvents(runtime, healthy, events);
  const byLocalQueue = await timed(events, () => sent(queued));

  const some = await register(runtime, receivers.origin, `${name}-hanging`, (index) => index % ONE_IN === 0);
  const mixed = await recordEvents(runtime, some, events);
  const besideHanging = await timed(events - events / ONE_IN, () => inBatches(mixed));
  receivers.releaseBatch();
  await isAtRest(runtime, receivers);
  return {
    delivered: delivered.rate,
    besideHanging: besideHanging.rate,
    byLocalQueue: byLocalQueue.rate,
    loop: loop.rate,
    cpu: delivered.cpu,
    loopCpu: loop.cpu,
  };
}

/** No delivery is in progress. A delivery that was postponed because its receiver hung stays so: no cron runs here. */
async function isAtRest({ cell }: Runtime, receivers: Receivers): Promise<void> {
  const atWork = cell.prepare("SELECT count(*) AS count FROM events WHERE claimed_at IS NOT NULL");
  while ((await atWork.first<number>("count")) !== 0) {
    receivers.releaseBatch();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
