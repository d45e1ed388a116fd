import type { Clock } from "./clock.ts";
import { isoTime } from "./clock.ts";
import { redact } from "./redact.ts";

type Field = string | number | boolean | null | undefined;

/**
 * One JSON line per thing worth knowing. Callers pass named scalars, never objects from outside: no key, secret,
 * body or checkout URL can slip in with them.
 */
export interface Log {
  info(message: string, fields?: Record<string, Field>): void;
  error(message: string, fields?: Record<string, Field>): void;
  /** The same log with these fields in every line. */
  with(fields: Record<string, Field>): Log;
}

/** A log to the console, which the platform keeps. */
export function consoleLog(clock: Clock, shared: Record<string, Field> = {}): Log {
  const line = (level: string, message: string, fields: Record<string, Field> = {}) =>
    JSON.stringify({ at: isoTime(clock.now()), level, message, ...shared, ...fields });
  return {
    info: (message, fields) => console.log(line("info", message, fields)),
    error: (message, fields) => console.error(line("error", message, fields)),
    with: (fields) => consoleLog(clock, { ...shared, ...fields }),
  };
}

/** The class and message of a thrown value and of its cause, for a log line; redacted, since they may quote an input. */
export function describeThrown(thrown: unknown): { error_class: string; error_text: string } {
  if (!(thrown instanceof Error)) return { error_class: typeof thrown, error_text: "" };
  const { name, message, cause } = thrown;
  const because = cause instanceof Error ? ` (${cause.name}: ${withoutValues(cause.message)})` : "";
  return { error_class: name, error_text: redact(withoutValues(message) + because) };
}

/** The query builder quotes the values of a statement that failed, and they may be anybody's. */
function withoutValues(message: string): string {
  return message.replace(/\nparams: .*/s, "");
}
