import type { Answer } from "../api/client.ts";
import { words } from "../texts.ts";

const { actions: own } = words;

interface Secret {
  readonly value: string;
  readonly what: string;
}

/** What an answer shows once: a new key, or an invitation's address. */
export function secretIn({ key, url, expires_at }: Answer): Secret | null {
  if (typeof key === "string" && key.length > 20) return { value: key, what: own.key };
  return typeof url === "string" && typeof expires_at === "string" ? { value: url, what: own.invitation } : null;
}

/** The fields by which an answer says what a call did or left, besides the object that was changed. */
const RESULTS = [
  "restarted",
  "re_encrypted",
  "checked",
  "fetched",
  "left",
  "made",
  "first_link",
  "short_url",
  "undecryptable",
  "found",
  "closed",
  "phase",
];

/** Whether an answer says more than that it was done: what was made, how many there were, what is left. */
export function hasResult(answer: Answer): boolean {
  // A whole link has its address, whatever was changed.
  return RESULTS.some((name) => name in answer && !isNothing(answer[name]) && !(name === "short_url" && "state" in answer));
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "object" && Object.values(value).every((inner) => Array.isArray(inner) && inner.length === 0));

/** How a call ended that reports it: a delivery's attempt, or a payment at the bank. */
export function outcomeOf({ success, attempt, problem, found }: Answer): { readonly isGood: boolean; readonly says: string | null } {
  if (typeof problem === "string") return { isGood: false, says: problem };
  if (Array.isArray(found) && found.length === 0) return { isGood: false, says: own.nothingFound };
  if (typeof attempt !== "object" || attempt === null) return { isGood: success !== false, says: null };
  const [status, error] = ["status" in attempt ? attempt.status : null, "error" in attempt ? attempt.error : null];
  const said = typeof status === "number" ? `HTTP ${status}` : typeof error === "string" ? error : "";
  return { isGood: success !== false, says: own.receiverSaid(said) };
}
