import { HOUR } from "../core/clock.ts";
import { isOutage, ServiceFailure, toServiceError } from "../core/errors.ts";
import type { RefreshFailure } from "../db/schema/ledger.ts";
import type { Source } from "../processor/facts.ts";

/** So many objects that are gone within the period are no chance: the key may be that of another account. */
export const MANY_GONE = 10;
export const GONE_PERIOD = HOUR;

/** The processor has no object with the id of the event: it was deleted, or it belongs to another account. */
export class ObjectGone extends Error {
  constructor({ kind, id }: Source, cause: unknown) {
    super(`the processor has no ${kind} ${id}`, { cause });
    this.name = "ObjectGone";
  }
}

/**
 * {@link ObjectGone} for a refusal that says that this very object does not exist. An object that the look-up comes upon
 * afterwards is a contradiction at the processor, and stays a failure of its own.
 */
export function asGone(thrown: unknown, source: Source): unknown {
  if (!(thrown instanceof ServiceFailure) || thrown.error.kind !== "upstream_failed") return thrown;
  const { code, message } = thrown.error;
  return code === "resource_missing" && message.includes(source.id) ? new ObjectGone(source, thrown) : thrown;
}

/** The kind of a failed look-up, which decides how it goes on. */
export function failureOf(thrown: unknown): RefreshFailure {
  if (thrown instanceof ObjectGone) return "gone";
  if (isOutage(thrown)) return "outage";
  return toServiceError(thrown).kind === "upstream_failed" ? "refused" : "internal";
}
