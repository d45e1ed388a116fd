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

/** What a log line has of a thrown value. */
interface ErrorFields extends Record<string, string> {
  readonly error_class: string;
  readonly error_text: string;
  /** Where it was thrown, innermost first, as `function file:line:column`. */
  readonly error_at: string;
}

/**
 * The class and message of a thrown value and of its cause, for a log line; redacted, since they may quote an input. And
 * its innermost places in our own files, which have no data in them.
 */
export function errorFields(thrown: unknown): ErrorFields {
  if (!(thrown instanceof Error)) return { error_class: typeof thrown, error_text: "", error_at: "" };
  const { name, message, cause } = thrown;
  const because = cause instanceof Error ? ` (${cause.name}: ${withoutParams(cause.message)})` : "";
  return { error_class: name, error_text: redactText(withoutParams(message) + because), error_at: placesOf(thrown) };
}

const MAX_PLACES = 4;
/** A line of a stack: the function, if it has a name, and the file with its place. */
const PLACE = /^ {4}at (?:async )?(?:([\w$.<>#]{1,60}) \()?(?:\S*\/)?([\w.-]{1,60}\.[jt]s:\d+:\d+)\)?$/;

/** The message comes first in a stack, and may have lines that look like places: it is cut off by its length. */
function placesOf({ stack = "", message }: Error): string {
  const at = stack.indexOf(message);
  const lines = at === -1 ? [] : stack.slice(at + message.length).split("\n");
  const places = lines
    .filter((line) => !line.includes("/node_modules/"))
    .flatMap((line) => {
      const [, by = "", place = ""] = PLACE.exec(line) ?? [];
      return place === "" ? [] : [by === "" ? place : `${by} ${place}`];
    });
  return places.slice(0, MAX_PLACES).join(", ");
}

/** Removes statement parameters. The query builder adds them to its messages, and they may be personal data. */
function withoutParams(message: string): string {
  return message.replace(/\nparams: .*/s, "");
}
