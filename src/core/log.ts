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
}

/** A log to the console, which the platform keeps. */
export function consoleLog(clock: Clock, shared: Record<string, Field> = {}): Log {
  const line = (level: string, message: string, fields: Record<string, Field> = {}) =>
    JSON.stringify({ at: isoTime(clock.now()), level, message, ...shared, ...fields });
  return {
    info: (message, fields) => console.log(line("info", message, fields)),
    error: (message, fields) => console.error(line("error", message, fields)),
  };
}

/** The class and message of a thrown value, for a log line; the message is redacted, since it may quote an input. */
export function describeThrown(thrown: unknown): { error_class: string; error_text: string } {
  return thrown instanceof Error
    ? { error_class: thrown.name, error_text: redact(thrown.message) }
    : { error_class: typeof thrown, error_text: "" };
}
