import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { cellCodeOf, newIdCode } from "../src/core/cell-code.ts";
import { endpointIdOf } from "../src/core/ids.ts";
import { connectCell, connectDirectory, runBatch } from "../src/db/client.ts";
import { partners } from "../src/db/schema/index.ts";
import { readSettings } from "../src/env.ts";
import { exampleMovement } from "../src/views/transaction.ts";
import { createSecretCipher, newSigningSecret } from "../src/webhooks/endpoints/secret-cipher.ts";
import { insertFirstSecret } from "../src/webhooks/endpoints/secrets-store.ts";
import { upsertEndpoint } from "../src/webhooks/endpoints/store.ts";
import { transactionEvents } from "../src/webhooks/outbox/events/transaction-events.ts";
import { recordEvent } from "../src/webhooks/outbox/store.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { HANGING, type Receivers, startReceivers } from "./receivers.ts";
import { type Runtime, startRuntime } from "./runtime.ts";
import { median } from "./sampling.ts";

const CELL = cellCodeOf(1);
const ENDPOINTS = 20;
/** One endpoint in so many hangs: its receiver takes each request and does not answer. */
const ONE_IN = 5;
/** As in wrangler.toml. */
const MESSAGES_IN_BATCH = 5;
/** The platform begins up to 250 batches side by side; so many are enough for the cores of a machine. */
const BATCHES_AT_ONCE = 10;
/** At most so many messages are sent to a queue at once. */
const MESSAGES_SENT_AT_ONCE = 100;

interface Effort {
  readonly rounds: number;
  /** Events of a round. */
  readonly events: number;
}

const WHOLE: Effort = { rounds: 3, events: 500 };

/** Deliveries a second until they were answered and recorded; for the loop, answers a second. CPU: milliseconds for one. */
interface Rates {
  /** Batches side by side, as the platform begins them. */
  readonly delivered: number;
  /** To the other receivers, while one in five hangs. */
  readonly besideHanging: number;
  /** By the local queue, which begins no batch before the last one has ended. */
  readonly byLocalQueue: number;
  /** Signed and sent by a Worker that keeps no record, as many at a time. */
  readonly loop: number;
  readonly cpu: number | null;
  readonly loopCpu: number | null;
}

/** Medians of the rounds: of the rates themselves, and of what each is to the loop's in the same round. */
export interface DeliveryResults extends Rates {
  readonly ratios: Readonly<Record<"delivered" | "besideHanging" | "byLocalQueue", number | null>>;
  readonly cpuRatio: number | null;
}

/**
 * Measures deliveries with all their records (a claim, a recorded attempt, a result), and compares them with a loop in the same
 * runtime that signs and sends the same without any record.
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
      cpuRatio: of(({ cpu, loopCpu }) => (cpu === null || loopCpu === null ? null : cpu / loopCpu)),
    };
  } finally {
    receivers.letGo();
    await runtime.close();
    receivers.close();
  }
}

async function measureRound(runtime: Runtime, receivers: Receivers, name: string, events: number): Promise<Rates> {
  const ask = async (path: string, what: object) => {
    const response = await fetch(`http://127.0.0.1:${runtime.reference}/${path}`, { method: "POST", body: JSON.stringify(what) });
    if (response.status !== 200) throw new Error(`the reference answered ${response.status}: ${await response.text()}`);
  };
  const inBatches = (ids: readonly string[]) =>
    ask("batches", { place: CELL, batches: chunksOf(ids, MESSAGES_IN_BATCH), atOnce: BATCHES_AT_ONCE });
  const sent = async (ids: readonly string[]) => {
    for (const some of chunksOf(ids, MESSAGES_SENT_AT_ONCE))
      await runtime.bindings.DELIVERIES.sendBatch(some.map((id) => ({ body: { place: CELL, id } })));
  };
  /** Until so many were answered at once, and what has brought them has ended. */
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
  const body = "x".repeat(await lengthOfBody(runtime));
  const loop = await timed(events, () =>
    ask("deliveries", { endpoints: healthy, body, count: events, atOnce: BATCHES_AT_ONCE * MESSAGES_IN_BATCH }),
  );
  const queued = await recordEvents(runtime, healthy, events);
  const byLocalQueue = await timed(events, () => sent(queued));

  const some = await register(runtime, receivers.origin, `${name}-hanging`, (index) => index % ONE_IN === 0);
  const mixed = await recordEvents(runtime, some, events);
  const besideHanging = await timed(events - events / ONE_IN, () => inBatches(mixed));
  receivers.letGo();
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

interface BenchEndpoint {
  readonly partnerId: string;
  readonly url: string;
  readonly secret: string;
}

/** New ones for each measurement: an endpoint that has hung is treated otherwise for a while. */
async function register(runtime: Runtime, receiver: string, name: string, isHanging: (index: number) => boolean): Promise<BenchEndpoint[]> {
  const [directory, cell] = [connectDirectory(runtime.directory), connectCell(runtime.cell)];
  const vars = localVars({ edge: "http://localhost", processor: receiver, bank: receiver });
  const secretCipher = createSecretCipher(readSettings({ ...vars, ...localSecrets }).encryptionKeys);
  const endpoints = Array.from({ length: ENDPOINTS }, (_, index) => ({
    partnerId: `bench-${name}-${index}`,
    url: `${receiver}${isHanging(index) ? HANGING : "/hook/"}${index}`,
    secret: newSigningSecret("test"),
  }));
  const rows = endpoints.map(({ partnerId: id }) => ({ id, name: id, cell: CELL, idCode: newIdCode(CELL), createdAt: 0 }));
  await runBatch(
    directory,
    rows.map((row) => directory.insert(partners).values(row)),
  );
  const registered = await Promise.all(
    endpoints.map(async ({ partnerId, url, secret }) => {
      const endpointId = endpointIdOf(partnerId, "test");
      const encrypted = await secretCipher.encrypt(secret, endpointId);
      return [
        ...upsertEndpoint(cell, { partnerId, environment: "test", url }, 0),
        insertFirstSecret(cell, endpointId, { id: `secret_${partnerId}`, encrypted }, 0),
      ];
    }),
  );
  await runBatch(cell, registered.flat());
  return endpoints;
}

async function recordEvents(runtime: Runtime, endpoints: readonly BenchEndpoint[], count: number): Promise<string[]> {
  const cell = connectCell(runtime.cell);
  const now = Date.now();
  const made = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const { partnerId = "" } = endpoints[index % endpoints.length] ?? {};
      const id = `processor:txn_${crypto.randomUUID()}`;
      return transactionEvents.paymentSucceeded.make(newIdCode(CELL), { ...exampleMovement, id, partnerId, environment: "test" });
    }),
  );
  for (const batch of chunksOf(made, MESSAGES_SENT_AT_ONCE))
    await runBatch(
      cell,
      batch.map((event) => recordEvent(cell, event, now)),
    );
  return made.map(({ id }) => id);
}

async function lengthOfBody({ cell }: Runtime): Promise<number> {
  return (await cell.prepare("SELECT max(length(payload)) AS length FROM events").first<number>("length")) ?? 0;
}

/** Nothing is being sent any more. What is put off because its receiver hung stays so: no cron runs here. */
async function isAtRest({ cell }: Runtime, receivers: Receivers): Promise<void> {
  const atWork = cell.prepare("SELECT count(*) AS count FROM events WHERE claimed_at IS NOT NULL");
  while ((await atWork.first<number>("count")) !== 0) {
    receivers.letGo();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function chunksOf<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
}
