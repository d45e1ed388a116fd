import type { Context } from "hono";
import { startOfUtcDay } from "../core/clock.ts";
import { isContainer } from "../core/json.ts";
import { errorFields } from "../core/log.ts";
import { runTraced, Trace, tracedPartner } from "../core/trace.ts";
import type { Deps } from "../deps.ts";
import { redactAnswer, redactBody } from "../requests/redact-body.ts";
import { insertRefusal } from "../requests/store.ts";
import { bytesOf, readUtf8 } from "./body.ts";
import type { AppEnv } from "./context.ts";
import { isDryRun } from "./dry-run.ts";

/** What an operation answered to a request that it refused, or could not carry out. */
interface Refusal {
  readonly operation: string;
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

/**
 * Keeps a refused request of a known partner, for its owner to look at (`/partner/requests`). It is written after the
 * answer, and its failure changes no answer. `sent` is the body if the surface has read it; otherwise the request's.
 */
export function noteRefusal(context: Context<AppEnv>, refusal: Refusal, sent?: unknown): void {
  const partnerId = tracedPartner();
  // A dry run leaves nothing, and asked for nothing to be made.
  if (partnerId === null || isDryRun(context.req.raw.headers, sent)) return;
  const deps = context.get("deps");
  // Its round trips are not those of the request.
  const kept = runTraced(new Trace(), () => keep(deps, context, partnerId, refusal, sent));
  context.env.execution.waitUntil(kept.catch((thrown: unknown) => deps.log.error("refused request not kept", errorFields(thrown))));
}

async function keep(deps: Deps, context: Context<AppEnv>, partnerId: string, refusal: Refusal, sent: unknown): Promise<void> {
  const { clock, fullRefusals } = deps;
  const at = clock.now();
  const location = await deps.locationOf(partnerId);
  if (location === null) return;
  // Once a partner's day is full, this isolate asks no database until the next day. A cell that the partner is leaving
  // takes no row either, so the cell belongs to the name.
  const day = `${partnerId} ${location.cell}`;
  if (fullRefusals.get(day, at) === startOfUtcDay(at)) return;
  const { operation, code } = refusal;
  const { message, field } = redactAnswer(refusal.message, refusal.field);
  const body = redactBody(sent === undefined ? await sentBody(context) : sent);
  const row = { partnerId, at, id: context.get("requestId"), operation, code, message, field, body };
  if (!(await insertRefusal(deps.ofPartner(location).db, row))) fullRefusals.remember(day, startOfUtcDay(at), at);
}

/** The fields of the request's query and of its body, from the cached bytes: JSON or a form. Null if it is neither. */
async function sentBody({ req }: Context<AppEnv>): Promise<unknown> {
  const text = readUtf8(await bytesOf(req)) ?? "";
  const query = Object.fromEntries(new URL(req.url).searchParams);
  if (/x-www-form-urlencoded/i.test(req.header("Content-Type") ?? ""))
    return { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
  try {
    const body: unknown = JSON.parse(text);
    return isContainer(body) && !Array.isArray(body) ? { ...query, ...body } : null;
  } catch {
    return null;
  }
}
