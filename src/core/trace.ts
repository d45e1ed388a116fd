import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "./clock.ts";

/** How a piece of work ended. `refused`: by a rule, because of what was asked. `failed`: on our side or upstream. */
export type Outcome = "success" | "refused" | "failed";

/** What a piece of work has cost. */
export interface Cost {
  /** Round trips to D1. */
  readonly trips: number;
  /** Requests to the processor, the bank and receivers, each attempt. */
  readonly upstreamCalls: number;
  /** The time of these requests together, in milliseconds; they may overlap. */
  readonly upstreamMs: number;
}

export const NO_COST: Cost = { trips: 0, upstreamCalls: 0, upstreamMs: 0 };

/** A request, a queue message or a sweep while it is worked on: what it is, and what it has cost so far. */
export class Trace {
  partner: string | null = null;
  operation: string | null = null;
  /** The grant of the agent that asked, if it signed in. */
  grant: string | null = null;
  outcome: Outcome = "success";
  /** The code of an error, as the caller gets it. */
  code: string | null = null;
  /** Whether the caller hung up before all of its request had come. */
  isCallerGone = false;
  cost: Cost = NO_COST;
}

const current = new AsyncLocalStorage<Trace>();

/** Performs a piece of work. All that it awaits belongs to it. */
export function runTraced<Result>(work: Trace, does: () => Result): Result {
  return current.run(work, does);
}

/** Notes what the current work turns out to be. Without any, nothing happens. */
export function annotateTrace(found: Partial<Pick<Trace, "partner" | "operation" | "grant" | "outcome" | "code" | "isCallerGone">>): void {
  const work = current.getStore();
  if (work !== undefined) Object.assign(work, found);
}

export function addCost({ trips, upstreamCalls, upstreamMs }: Cost): void {
  const work = current.getStore();
  if (work === undefined) return;
  const { cost } = work;
  work.cost = {
    trips: cost.trips + trips,
    upstreamCalls: cost.upstreamCalls + upstreamCalls,
    upstreamMs: cost.upstreamMs + upstreamMs,
  };
}

export function countRoundTrip(): void {
  addCost({ ...NO_COST, trips: 1 });
}

/** `fetch` of an upstream, which counts as a call and takes its time. */
export async function fetchUpstream(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const began = systemClock.now();
  try {
    return await fetch(url, init);
  } finally {
    addCost({ trips: 0, upstreamCalls: 1, upstreamMs: systemClock.now() - began });
  }
}
