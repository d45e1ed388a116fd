import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "./clock.ts";

/** How a piece of work ended. `refused`: a rule forbids the request. `failed`: on our side or upstream. */
export type Outcome = "success" | "refused" | "failed";

/** The cost of a piece of work. */
export interface Cost {
  /** Round trips to D1. */
  readonly trips: number;
  /** Requests to the processor, the bank and receivers, each attempt. */
  readonly upstreamCalls: number;
  /** The total time of these requests in milliseconds; they may overlap. */
  readonly upstreamMs: number;
}

export const NO_COST: Cost = { trips: 0, upstreamCalls: 0, upstreamMs: 0 };

/** A request, a queue message or a sweep in progress: its name, its outcome and its cost so far. */
export class Trace {
  partner: string | null = null;
  operation: string | null = null;
  /** The grant of a signed-in agent that made the request. */
  grant: string | null = null;
  outcome: Outcome = "success";
  /** The error code that the caller gets. */
  code: string | null = null;
  /** Whether the caller hung up before the whole request had arrived. */
  isCallerGone = false;
  cost: Cost = NO_COST;
}

const current = new AsyncLocalStorage<Trace>();

/** Runs a function with this trace. Everything that it awaits shares the trace. */
export function runTraced<Result>(work: Trace, does: () => Result): Result {
  return current.run(work, does);
}

/** Sets fields of the current trace. Does nothing without one. */
export function annotateTrace(found: Partial<Pick<Trace, "partner" | "operation" | "grant" | "outcome" | "code" | "isCallerGone">>): void {
  const work = current.getStore();
  if (work !== undefined) Object.assign(work, found);
}

/** The partner of the current trace; null if it is not known. */
export function tracedPartner(): string | null {
  return current.getStore()?.partner ?? null;
}

export function addCost({ trips, upstreamCalls, upstreamMs }: Cost): void {
  const work = current.getStore();
  if (work === undefined) return;
  const { cost } = work;
  work.cost = { trips: cost.trips + trips, upstreamCalls: cost.upstreamCalls + upstreamCalls, upstreamMs: cost.upstreamMs + upstreamMs };
}

export function countRoundTrip(): void {
  addCost({ ...NO_COST, trips: 1 });
}

/** `fetch` for an upstream. It counts as a call with its duration. */
export async function fetchUpstream(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const began = systemClock.now();
  try {
    return await fetch(url, init);
  } finally {
    addCost({ trips: 0, upstreamCalls: 1, upstreamMs: systemClock.now() - began });
  }
}
