import { generateMovements } from "./movements.ts";
import { startRuntime } from "./runtime.ts";
import { openPool, requestText } from "./sockets.ts";

const BURST_CONNECTIONS = 32;
const SAMPLES = 60;
/** Queries per minute, a hundred times as many in local development. The quiet partner stays below the limit. */
const QUERIES = 20;

const KEYS = { loud: "a0000000-0000-4000-8000-000000000001", quiet: "b0000000-0000-4000-8000-000000000001" };

/** The median and the 95th percentile of the quiet partner's answers, in milliseconds. */
export interface Latency {
  readonly median: number;
  readonly slow: number;
}

export interface BurstResults {
  readonly alone: Latency;
  /** While the other partner sends without a limit. */
  readonly unlimited: Latency;
  /** While the other partner is above its limit. */
  readonly limited: Latency;
}

/**
 * The time of one partner's queries while another sends as many as 32 connections carry: with and without its limit. On
 * one machine they share the processor's cores, so only the two bursts are comparable.
 */
export async function measureBurst(say: (progress: string) => void, samples = SAMPLES): Promise<BurstResults> {
  const quietly = async (limits: Readonly<Record<string, number>>, beside: boolean): Promise<Latency> => {
    const runtime = await startRuntime({ limits });
    const [own, others] = [openPool(runtime.product, 1), openPool(runtime.product, BURST_CONNECTIONS)];
    try {
      await generateMovements(runtime.cell, 10_000);
      const burst = { over: false };
      const noise = beside ? others.runUntil(() => burst.over, list(KEYS.loud)) : Promise.resolve();
      await own.run(samples / 4, () => list(KEYS.quiet), 200);
      if (beside && Object.keys(limits).length > 0) await untilRefused(runtime.product, KEYS.loud);
      const times = await own.times(samples, () => list(KEYS.quiet), 200);
      burst.over = true;
      await noise;
      return latencyOf(times);
    } finally {
      own.close();
      others.close();
      await runtime.close();
    }
  };
  const alone = await quietly({}, false);
  say("alone measured");
  const unlimited = await quietly({}, true);
  say("beside a burst without a limit measured");
  const limited = await quietly({ READS: QUERIES }, true);
  say("beside a burst over its limit measured");
  return { alone, unlimited, limited };
}

const [PATH, BODY] = ["/list-partner-processor-transactions", JSON.stringify({ limit: 100 })];
const headersOf = (key: string) => ({ "Content-Type": "application/json", "X-Partner-Api-Key": key });

function list(key: string): string {
  return requestText("POST", PATH, headersOf(key), BODY);
}

/** Sends requests with this key until it is above its limit. */
async function untilRefused(port: number, key: string): Promise<void> {
  const request = { method: "POST", headers: headersOf(key), body: BODY };
  while ((await fetch(`http://127.0.0.1:${port}${PATH}`, request)).status !== 429) await new Promise((resolve) => setTimeout(resolve, 50));
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
  return { median: at(0.5), slow: at(0.95) };
}
