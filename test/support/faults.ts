import { control } from "./stack.ts";

interface FaultCase {
  readonly what: string;
  readonly kind: string;
  readonly times: number;
  readonly more: object;
}

/** What one request recovers from by itself. */
export const PASSING: readonly FaultCase[] = [
  { what: "fails by a 500 and is then good", kind: "http_500", times: 1, more: {} },
  { what: "fails by three 500s and is then good", kind: "http_500", times: 3, more: {} },
  { what: "loses its connection before the effect", kind: "reset", times: 1, more: {} },
  { what: "loses its answer", kind: "reset_after", times: 1, more: {} },
  { what: "loses three answers", kind: "reset_after", times: 3, more: {} },
  { what: "asks for patience", kind: "http_429", times: 1, more: {} },
  { what: "asks for patience, for two seconds", kind: "http_429", times: 1, more: { retry_after: 2 } },
  { what: "answers too late for one try", kind: "timeout", times: 1, more: { ms: 12_000 } },
];

/** What it does not recover from. */
export const LASTING: readonly FaultCase[] = [
  { what: "fails by 500s for as long as it is tried", kind: "http_500", times: 99, more: {} },
  { what: "loses every answer", kind: "reset_after", times: 99, more: {} },
  { what: "loses every connection", kind: "reset", times: 99, more: {} },
  { what: "asks for patience for ever", kind: "http_429", times: 99, more: {} },
  { what: "does not answer in time", kind: "timeout", times: 99, more: { ms: 26_000 } },
  { what: "refuses", kind: "http_400", times: 99, more: {} },
];

/** Has the processor's next calls of this name fail in the way of the case. */
export async function inject(call: string, { kind, times, more }: FaultCase): Promise<void> {
  await control("/faults", { target: "processor", call, kind, times, ...more });
}
