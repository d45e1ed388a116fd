import { z } from "zod";
import { SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { ServiceFailure } from "../core/errors.ts";
import { redact } from "../core/redact.ts";
import { backoff, LEAST_TRY, pausedInTime } from "../core/retry.ts";

/** What every answer of the bank has, whatever else. */
const outcomeSchema = z.looseObject({
  Success: z.boolean(),
  ErrorCode: z.union([z.string(), z.number()]).transform(String),
  Message: z.string().nullish(),
  Details: z.string().nullish(),
});

/** An answer that says no, by the bank's own code. */
class BankRefusal extends Error {
  override readonly name = "BankRefusal";
  readonly code: string;
  readonly text: string;

  constructor(code: string, text: string) {
    super(`the bank answered ${code}: ${text}`);
    this.code = code;
    this.text = text;
  }
}

/** No answer that counts: whether the bank did what it was asked, nobody knows. */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly late: boolean;

  constructor(text: string, late: boolean, options: { cause?: unknown } = {}) {
    super(text, options);
    this.late = late;
  }
}

/**
 * Codes of "Коды ошибок" (the bank's documentation) that speak of the bank itself or of our standing with it, not of
 * the request. Trouble may pass, and may have come after the deed; with wrong credentials nothing was done.
 */
const TROUBLE = new Set("3 21 99 100 120 123 125 401 402 515 903 999 1096 3040 7999 9001 9999".split(" "));
const OUR_STANDING = new Set("191 202 204 205 322 331 501 648 702 1003".split(" "));
/** The order's id was used before, or the payment is not in a state for this any more. */
const USED_BEFORE = new Set("8 20 623".split(" "));

/** How a call is to be made. */
export interface Patience {
  readonly deadline: Deadline;
  /** The longest that one try may take, in milliseconds. */
  readonly tryTimeout: number;
  readonly mostTries: number;
}

const QUESTION = { tryTimeout: 5 * SECOND, mostTries: 3 };

/** The patience for what may be asked again without harm. */
export function asking(deadline: Deadline): Patience {
  return { deadline, ...QUESTION };
}

/**
 * Sends a message to the bank until it answers for good, or as long as patience lasts, and gives what `schema` reads in
 * the answer. @throws ServiceFailure `upstream_failed`, `upstream_timeout`; see {@link isRefusal}.
 */
export async function callBank<Answer>(
  send: (signal: AbortSignal) => Promise<Response>,
  schema: z.ZodType<Answer>,
  { deadline, tryTimeout, mostTries }: Patience,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    if (deadline.remaining() < LEAST_TRY) throw toFailure(new NoAnswer("the time for the bank is up", true));
    try {
      return read(await answerOf(send, Math.min(tryTimeout, deadline.remaining())), schema);
    } catch (thrown) {
      const mayPass = thrown instanceof NoAnswer || (thrown instanceof BankRefusal && TROUBLE.has(thrown.code));
      if (mayPass && tries < mostTries && (await pausedInTime(deadline, backoff(tries)))) continue;
      throw toFailure(thrown);
    }
  }
}

async function answerOf(send: (signal: AbortSignal) => Promise<Response>, timeout: number): Promise<unknown> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), timeout);
  try {
    const response = await send(patience.signal);
    const text = await response.text();
    if (response.status !== 200) throw new NoAnswer(`the bank answered HTTP ${response.status}`, false);
    return JSON.parse(text) as unknown;
  } catch (cause) {
    if (cause instanceof NoAnswer) throw cause;
    const late = patience.signal.aborted;
    throw new NoAnswer(late ? "the bank did not answer in time" : "the bank's answer could not be had", late, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function read<Answer>(answer: unknown, schema: z.ZodType<Answer>): Answer {
  const outcome = outcomeSchema.safeParse(answer);
  if (!outcome.success) throw new NoAnswer("the bank's answer is not of the documented shape", false);
  const { Success, ErrorCode, Message, Details } = outcome.data;
  if (!Success || ErrorCode !== "0") {
    const texts = new Set([Message, Details].filter((text) => text != null && text !== ""));
    throw new BankRefusal(ErrorCode, [...texts].join(": ") || "no reason given");
  }
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new NoAnswer(`the bank's answer lacks what it should say: ${z.prettifyError(parsed.error)}`, false);
  return parsed.data;
}

/** Whether a call failed because the bank answered by one of these codes. */
export function isRefusal(thrown: unknown, codes: ReadonlySet<string>): boolean {
  return thrown instanceof ServiceFailure && thrown.cause instanceof BankRefusal && codes.has(thrown.cause.code);
}

/**
 * What a failed call means to whoever asked for it. The bank's own sentence is shown where it refused the request, and
 * nothing more of anything else.
 */
function toFailure(thrown: unknown): unknown {
  if (thrown instanceof NoAnswer) {
    if (thrown.late) return new ServiceFailure({ kind: "upstream_timeout", upstream: "bank" }, { leaves: "unknown", cause: thrown });
    return outOfOrder("unknown", thrown);
  }
  if (!(thrown instanceof BankRefusal)) return thrown;
  if (TROUBLE.has(thrown.code)) return outOfOrder("unknown", thrown);
  if (OUR_STANDING.has(thrown.code)) return outOfOrder("nothing", thrown);
  const leaves = USED_BEFORE.has(thrown.code) ? "unknown" : "nothing";
  const message = redact(thrown.text);
  return new ServiceFailure({ kind: "upstream_failed", upstream: "bank", code: thrown.code, message }, { leaves, cause: thrown });
}

/** A failure of the bank's that is nobody's to mend but ours and its. */
export function outOfOrder(leaves: "nothing" | "unknown", cause: Error): ServiceFailure {
  const message = "the bank could not be reached or is out of order";
  return new ServiceFailure({ kind: "upstream_failed", upstream: "bank", code: null, message }, { leaves, cause });
}
