import type { Context } from "hono";
import type { Clock } from "../../core/clock.ts";
import { annotateTrace } from "../../core/trace.ts";
import { type Caller, requirePermission } from "../../partners/authenticate.ts";
import { findSignedIn, type SignedIn } from "../../partners/people/sessions.ts";
import { isFresh } from "../../partners/people/verification.ts";
import { admitRequest, checkAddress } from "../../rate-limits/admission.ts";
import { budgetOf, callerOf, keyHeadersOf } from "../authenticate.ts";
import { CallRefusal } from "../calls/refusal.ts";
import type { AppEnv } from "../context.ts";
import type { PartnerCall } from "./define-call.ts";
import { dropSessionCookie, sessionTokenOf } from "./session-cookie.ts";

/** The caller of a partner's call, and the signed-in person; null for a key. */
interface Access {
  readonly caller: Caller;
  readonly signedIn: SignedIn | null;
}

/** A page says whose data it shows; the answer to a page of another person says who is signed in. */
const EXPECTED_PERSON = "X-Expected-Person";
const SIGNED_IN_PERSON = "X-Signed-In-Person";

/** What a call asks of its caller. */
type Asked = Pick<PartnerCall, "method" | "permission" | "weight">;

/**
 * The caller of a partner's call, by key or by session, with the call's permission. A deployed service takes keys on the
 * API's host and sessions on the dashboard's, so that no page ever has a key, and no program needs a cookie.
 * @throws ServiceFailure for a key as operations do; CallRefusal 401 without a session, 403 from another site's page.
 */
export async function accessOf(asked: Asked, context: Context<AppEnv>): Promise<Access> {
  const takes = takenAt(context);
  const key = keyHeadersOf(context.req.raw);
  const token = sessionTokenOf(context);
  if (takes.session && (token !== null || !takes.key) && (key.header === undefined || !takes.key)) return bySession(asked, context, token);
  return byKey(asked, context);
}

/** Which credentials the host of the request takes. */
export function takenAt(context: Context<AppEnv>): { readonly key: boolean; readonly session: boolean } {
  const { local, apiOrigin, dashboardOrigin } = context.get("deps").settings;
  if (local) return { key: true, session: true };
  const { host } = new URL(context.req.url);
  return { key: host === new URL(apiOrigin).host, session: dashboardOrigin !== null && host === new URL(dashboardOrigin).host };
}

/** The right that a call needs; null for one that needs none. */
const rightOf = ({ permission }: Asked) => (permission === "any" || permission === "signed_in" ? null : permission);

/** A changing call draws on the budget of creations, a reading one on that of queries. */
const kindOf = ({ method }: Asked) => (method === "GET" ? ("read" as const) : ("creation" as const));

async function byKey(asked: Asked, context: Context<AppEnv>): Promise<Access> {
  const { permission } = asked;
  const needed = { location: "header", permission: rightOf(asked), kind: kindOf(asked), environment: "any" } as const;
  const { caller } = await callerOf(context.get("deps"), needed, keyHeadersOf(context.req.raw), {});
  annotateTrace({ partner: caller.partnerId });
  // One query is counted already.
  await admitRequest(context.get("deps").rateLimits, budgetOf(caller, needed, "any"), asked.weight - 1);
  if (permission === "signed_in") throw new CallRefusal(403, "This is for people: sign in to the dashboard. A key cannot do it.");
  return { caller, signedIn: null };
}

async function bySession(asked: Asked, context: Context<AppEnv>, token: string | null): Promise<Access> {
  requireOwnPage(asked.method, context);
  const signedIn = token === null ? null : await openSession(context, token);
  if (signedIn === null) {
    if (token !== null) dropSessionCookie(context);
    throw new CallRefusal(401, "Your session has ended, or none was started. Sign in.");
  }
  const { caller, person } = signedIn;
  requireExpected(context, person.id);
  annotateTrace({ partner: caller.partnerId });
  const permission = rightOf(asked);
  const needed = { location: "header", permission, kind: kindOf(asked), environment: "any" } as const;
  // People have a budget of their own, which they share: a key that is abused must not keep its owner from revoking it.
  const budget = budgetOf(caller, needed, "any");
  await admitRequest(context.get("deps").rateLimits, { ...budget, permission: `${budget.permission} of people` }, asked.weight);
  if (permission !== null) requirePermission(caller, permission, "person");
  return { caller, signedIn };
}

/**
 * A session alone makes no lasting way in, and moves no events: a stolen cookie must not. A key has the rights that were given to it
 * for good. @throws CallRefusal 403 `PASSKEY_REQUIRED`, upon which a page asks for the passkey and repeats the call
 */
export function requireFreshPasskey(signedIn: SignedIn | null, clock: Clock): void {
  if (signedIn === null || isFresh(signedIn, clock)) return;
  throw new CallRefusal(403, "Use your passkey first: this needs one that was used within 15 minutes.", "PASSKEY_REQUIRED");
}

/**
 * Tabs of a browser share the cookie. A page that shows one person's data must not act as another, who has signed in in a
 * second tab. @throws CallRefusal 409; the header says who is signed in, so that the page loads again.
 */
function requireExpected(context: Context<AppEnv>, person: string): void {
  const expected = context.req.header(EXPECTED_PERSON);
  if (expected === undefined || expected === person) return;
  context.header(SIGNED_IN_PERSON, person);
  throw new CallRefusal(409, "Another person has signed in in this browser. Load the page again.");
}

/** An address with too many invented sessions waits, as one with too many invented keys does. */
async function openSession(context: Context<AppEnv>, token: string): Promise<SignedIn | null> {
  const deps = context.get("deps");
  const { rateLimits, address } = deps;
  if (rateLimits.refusedKeys.waitOf(address) > 0) await checkAddress(rateLimits, address);
  const found = /^[0-9a-f]{64}$/.test(token) ? await findSignedIn(deps, token) : "unknown";
  // A browser goes on with the cookie of a session that has ended; only an invented one counts.
  if (found === "unknown") await rateLimits.refusedKeys.refuse(address);
  return typeof found === "string" ? null : found;
}

/**
 * Browsers send cookies by themselves, so a change must come from a page of ours: it names our origin, and sends JSON,
 * which a form of another site cannot. @throws CallRefusal 403
 */
export function requireOwnPage(method: string, context: Context<AppEnv>): void {
  const { dashboardOrigin } = context.get("deps").settings;
  const origin = context.req.header("Origin");
  const isChange = method !== "GET";
  const isOwn = origin === undefined ? !isChange : origin === dashboardOrigin;
  const isJson = /^application\/json\b/i.test(context.req.header("Content-Type") ?? "");
  if (!isOwn || (isChange && !isJson))
    throw new CallRefusal(
      403,
      `A change in a session must come from ${dashboardOrigin ?? "the dashboard"}, as JSON. A program uses a key instead.`,
    );
}
