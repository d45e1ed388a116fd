import { createServer, type Server } from "node:http";
import { freePorts } from "../local/ports.ts";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { cellCodeOf, newIdCode } from "../src/core/cell-code.ts";
import { endpointIdOf } from "../src/core/ids.ts";
import { runBatch } from "../src/db/client.ts";
import { events, partners } from "../src/db/schema/index.ts";
import { readSettings } from "../src/env.ts";
import { bodyOf } from "../src/views/event-body.ts";
import { exampleMovement } from "../src/views/transaction.ts";
import { signDelivery } from "../src/webhooks/delivery/signature.ts";
import { createSecretCipher, newSigningSecret } from "../src/webhooks/endpoints/secret-cipher.ts";
import { insertFirstSecret } from "../src/webhooks/endpoints/secrets-store.ts";
import { upsertEndpoint } from "../src/webhooks/endpoints/store.ts";
import { transactionEvents } from "../src/webhooks/outbox/events/transaction-events.ts";
import { recordEvent } from "../src/webhooks/outbox/store.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { median, sample } from "./sampling.ts";
import { type BenchWorker, startWorker } from "./worker.ts";

const CELL = cellCodeOf(1);
const EVENTS = 1_000;
const ENDPOINTS = 20;
const ROUNDS = 3;
/** One endpoint in so many hangs: its receiver takes each request and never answers. */
const ONE_IN = 5;
/** The same concurrency as the queue's consumer. */
const CONCURRENCY = 5;

export interface DeliveryRates {
  /** Deliveries per second, from the queue message to the recorded response; for the loops, fetches per second. */
  readonly delivered: number;
  readonly loop: number;
  readonly parallelLoop: number;
  /** Deliveries per second to the other receivers while one in five hangs. */
  readonly besideHanging: number;
  /** CPU milliseconds of the runtime for one delivery; null if the machine does not provide CPU times. */
  readonly cpu: number | null;
}

/**
 * Measures deliveries per second from the queue, with all their records (a claim, a recorded attempt, a result), and
 * compares them with loops that sign and send the same bodies without any record. All in one run; medians of rounds.
 */
export async function measureDeliveries(log: (line: string) => void): Promise<DeliveryRates> {
  const receiver = await startReceiver();
  const worker = await startWorker(receiver.origin);
  try {
    const rounds: DeliveryRates[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const rates = await measureRound(worker, receiver, round);
      // The first round warms up and is not counted.
      if (round > 0) rounds.push(rates);
      const said = `${Math.round(rates.delivered)} deliveries a second, ${Math.round(rates.besideHanging)} beside receivers that hang`;
      log(round === 0 ? "warmed up" : `round ${round} of ${ROUNDS}: ${said}`);
    }
    const middle = (of: (rates: DeliveryRates) => number | null) => median(rounds.map(of), 2);
    return {
      delivered: middle(({ delivered }) => delivered) ?? 0,
      loop: middle(({ loop }) => loop) ?? 0,
      parallelLoop: middle(({ parallelLoop }) => parallelLoop) ?? 0,
      besideHanging: middle(({ besideHanging }) => besideHanging) ?? 0,
      cpu: middle(({ cpu }) => cpu),
    };
  } finally {
    await worker.close();
    receiver.server.close();
    receiver.server.closeAllConnections();
  }
}

interface Receiver {
  readonly server: Server;
  readonly origin: string;
  taken: number;
}

const HANGING = "/hanging/";

async function startReceiver(): Promise<Receiver> {
  const receiver = { taken: 0 };
  const server = createServer((request, response) => {
    if (request.url?.startsWith(HANGING) === true) return void request.resume();
    request.resume().on("end", () => {
      receiver.taken += 1;
      response.end("taken");
    });
  });
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return Object.assign(receiver, { server, origin: `http://localhost:${port}` });
}

interface BenchEndpoint {
  readonly partnerId: string;
  readonly url: string;
  readonly secret: string;
}

/** New ones for each measurement: an endpoint that has hung is left alone for a while. */
async function register(
  { directory, cell }: BenchWorker,
  receiver: string,
  name: string,
  isHanging: (index: number) => boolean,
): Promise<BenchEndpoint[]> {
  const vars = localVars({ edge: "http://localhost", processor: receiver, bank: receiver });
  const secretCipher = createSecretCipher(readSettings({ ...vars, ...localSecrets }).encryptionKeys);
  const endpoints = Array.from({ length: ENDPOINTS }, (_, index) => ({
    partnerId: `bench-${name}-${index}`,
    url: `${receiver}${isHanging(index) ? HANGING : "/hook/"}${index}`,
    secret: newSigningSecret("test"),
  }));
  for (const { partnerId, url, secret } of endpoints) {
    const endpointId = endpointIdOf(partnerId, "test");
    await runBatch(directory, [
      directory.insert(partners).values({ id: partnerId, name: partnerId, cell: CELL, idCode: newIdCode(CELL), createdAt: 0 }),
    ]);
    await runBatch(cell, [
      ...upsertEndpoint(cell, { partnerId, environment: "test", url }, 0),
      insertFirstSecret(cell, endpointId, { id: `secret_${partnerId}`, encrypted: await secretCipher.encrypt(secret, endpointId) }, 0),
    ]);
  }
  return endpoints;
}

async function measureRound(worker: BenchWorker, receiver: Receiver, round: number): Promise<DeliveryRates> {
  const endpoints = await register(worker, receiver.origin, `${round}`, () => false);
  const cpuBefore = runtimeCpuSeconds();
  const delivered = await deliverAll(worker, receiver, endpoints, EVENTS);
  const cpuAfter = runtimeCpuSeconds();
  const cpu = cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1000) / EVENTS;
  const some = await register(worker, receiver.origin, `${round}-hanging`, (index) => index % ONE_IN === 0);
  const besideHanging = await deliverAll(worker, receiver, some, EVENTS - EVENTS / ONE_IN);

  const [event] = await worker.cell.select().from(events).limit(1);
  if (event === undefined) throw new Error("no event was recorded");
  const body = bodyOf(event);
  let next = 0;
  const send = async () => {
    next += 1;
    const { url, secret } = endpoints[next % endpoints.length] ?? { url: "", secret: "" };
    const id = `evt_${next}`;
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = await signDelivery(id, timestamp, body, [secret]);
    const headers = { "Content-Type": "application/json", "Service-Event-Id": id, "Service-Signature": signature };
    const response = await fetch(url, { method: "POST", headers, body });
    await response.text();
  };
  const loop = await sample({ name: "loop", requests: EVENTS, send }, 1);
  const parallelLoop = await sample({ name: "loop", requests: EVENTS, send }, CONCURRENCY);
  return { delivered, besideHanging, loop: 1000 / loop.time, parallelLoop: 1000 / parallelLoop.time, cpu };
}

/** Deliveries per second until the receivers that answer have got `wanted` of a thousand events. Returns when none is at work. */
async function deliverAll(worker: BenchWorker, receiver: Receiver, endpoints: readonly BenchEndpoint[], wanted: number): Promise<number> {
  const ids = await recordEvents(worker, endpoints);
  const before = receiver.taken;
  const startedAt = performance.now();
  await worker.deliveryQueue(ids);
  while (receiver.taken < before + wanted) await new Promise((resolve) => setTimeout(resolve, 5));
  const seconds = (performance.now() - startedAt) / 1000;
  // What is put off because its receiver hangs stays so: no cron runs here.
  const atWork = worker.db.prepare("SELECT count(*) AS count FROM events WHERE claimed_at IS NOT NULL");
  while ((await atWork.first<number>("count")) !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
  return wanted / seconds;
}

const PER_BATCH = 100;

async function recordEvents({ cell }: BenchWorker, endpoints: readonly BenchEndpoint[]): Promise<string[]> {
  const now = Date.now();
  const made = await Promise.all(
    Array.from({ length: EVENTS }, (_, index) => {
      const { partnerId = "" } = endpoints[index % endpoints.length] ?? {};
      const id = `processor:txn_${crypto.randomUUID()}`;
      return transactionEvents.paymentSucceeded.make(newIdCode(CELL), { ...exampleMovement, id, partnerId, environment: "test" });
    }),
  );
  for (let start = 0; start < made.length; start += PER_BATCH) {
    const batch = made.slice(start, start + PER_BATCH);
    await runBatch(
      cell,
      batch.map((event) => recordEvent(cell, event, now)),
    );
  }
  return made.map(({ id }) => id);
}
