import type { Clock } from "./clock.ts";
import { isoTime } from "./clock.ts";
import { redactText } from "./redact.ts";

type Field = string | number | boolean | null | undefined;

/**
 * A structured log with one JSON line per entry. Callers pass named scalars and never external objects, so no key,
 * secret, body or checkout URL can get into the log.
 */
export interface Log {
  info(message: string, fields?: Record<string, Field>): void;
  error(message: string, fields?: Record<string, Field>): void;
  /** The same log with these fields in every line. */
  with(fields: Record<string, Field>): Log;
}

/** Writes to the console. The platform stores it. */
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
export function errorFields(thrown: unknown): { error_class: string; error_text: string } {
  if (!(thrown instanceof Error)) return { error_class: typeof thrown, error_text: "" };
  const { name, message, cause } = thrown;
  const because = cause instanceof Error ? ` (${cause.name}: ${withoutParams(cause.message)})` : "";
  return { error_class: name, error_text: redactText(withoutParams(message) + because) };
}

/** Removes statement parameters. The query builder adds them to its messages, and they may be personal data. */
function withoutParams(message: string): string {
  return message.replace(/\nparams: .*/s, "");
}
