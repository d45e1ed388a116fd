import { aroundEffects } from "./observe.ts";
import { control, world } from "./stack.ts";

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
  { what: "answers 429", kind: "http_429", times: 1, more: {} },
  { what: "answers 429, with two seconds of Retry-After", kind: "http_429", times: 1, more: { retry_after: 2 } },
  { what: "answers too late for one try", kind: "timeout", times: 1, more: { ms: 12_000 } },
];

/** What it does not recover from. */
export const LASTING: readonly FaultCase[] = [
  { what: "fails by 500s for as long as it is tried", kind: "http_500", times: 99, more: {} },
  { what: "loses every answer", kind: "reset_after", times: 99, more: {} },
  { what: "loses every connection", kind: "reset", times: 99, more: {} },
  { what: "answers 429 for ever", kind: "http_429", times: 99, more: {} },
  { what: "does not answer in time", kind: "timeout", times: 99, more: { ms: 26_000 } },
  { what: "refuses", kind: "http_400", times: 99, more: {} },
];

/** Has the processor's or the bank's next calls of this name fail in the way of the case. */
export async function inject(call: string, { kind, times, more }: FaultCase): Promise<void> {
  await control("/faults", { target: call.startsWith("bank.") ? "bank" : "processor", call, kind, times, ...more });
}

const FAILURE = { error: { type: "api_error", message: "failed" } };

/**
 * Has the next creations at the processor, below this path, carried out and answered by a 500 all the same, which it
 * keeps under their key: what the real one may do. Undone by `resetEffects()`.
 */
export function keepFailures(times: number, path = "/v1/"): void {
  let left = times;
  aroundEffects(async (effect, perform) => {
    const answer = await perform();
    const request = world.state.requests.at(-1);
    if (effect !== "processor" || left === 0 || request?.method !== "POST" || !request.path.startsWith(path)) return answer;
    left -= 1;
    for (const environment of ["live", "test"]) {
      const kept = world.state.keys[`${environment} ${request.idempotency_key}`];
      Object.assign(kept ?? {}, { status: 500, body: JSON.stringify(FAILURE) });
    }
    return Response.json(FAILURE, { status: 500 });
  });
}
