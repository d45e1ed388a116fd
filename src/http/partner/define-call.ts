import type * as z from "zod";
import type { Actor } from "../../core/actor.ts";
import type { Deps, PartnerDeps } from "../../deps.ts";
import type { Caller } from "../../partners/authenticate.ts";
import type { SignedIn } from "../../partners/people/sessions.ts";
import type { Right } from "../../partners/permissions.ts";
import { buildCall, type Call, type CallDefinition, READ, type Shape, type TextParams } from "../calls/call.ts";

/**
 * The context of a partner's call besides its input. The partner is always the caller: no call takes a partner from the
 * request.
 */
export interface PartnerContext {
  readonly deps: Deps;
  /** The dependencies with the caller's data. */
  readonly own: PartnerDeps;
  readonly caller: Caller;
  /** The holder of the key, or the person, for the audit log. */
  readonly actor: Actor;
  /** The signed-in person; null for a key. */
  readonly signedIn: SignedIn | null;
  /** Whether an operator looks at the partner's data: what acts in the partner's name is left out. */
  readonly isOperator: boolean;
  /** Makes the browser forget its session. */
  readonly dropCookie: () => void;
}

/** What a caller needs. `any`: a key or a session, whatever it may do. `signed_in`: a signed-in person, and no key. */
type PartnerNeeds = Right | "any" | "signed_in";

/** How agents get a reading call. */
interface ForAgents {
  readonly tool: string;
  /** When to use it, its cost, and the source of its arguments. */
  readonly hint: string;
  /**
   * What an agent gets whose grant covers one environment only, where a row may have none: nothing, or what this query finds besides.
   * `own`: the rows of
   * its environment, although the query can name one. Left out: the rows of its environment, which a query that can name one must name.
   */
  readonly ofOneEnvironment?: "refused" | "own" | Readonly<Record<string, string>>;
  /** Fields of the query that agents do not need: each makes the list of tools longer. */
  readonly without?: readonly string[];
}

/** A partner's call, with any input. */
export interface PartnerCall extends Call<PartnerContext> {
  readonly permission: PartnerNeeds;
  /** Null: agents do not get it. */
  readonly forAgents: ForAgents | null;
  /** Whether a signed-in person must have used a passkey within 15 minutes: it makes a lasting way in, or moves events. */
  readonly needsPasskey: boolean;
  /**
   * Whether the rows that it leaves are bounded by something else than the changes of a day. What ends access is: by what there is to
   * end. So an abused session cannot use up the day's changes and keep the owners from ending it.
   */
  readonly isBounded: boolean;
  /** As how many queries it counts: what reads many rows counts as several. */
  readonly weight: number;
}

export interface Access {
  readonly permission: PartnerNeeds;
  readonly forAgents?: ForAgents;
  readonly needsPasskey?: boolean;
  readonly isBounded?: boolean;
  readonly weight?: number;
}

/** Builds a call for partners' own programs and people. */
export function definePartnerCall<
  Path extends string,
  Answer extends z.ZodType<object>,
  Params extends Shape = TextParams<Path>,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
>(definition: CallDefinition<PartnerContext, Path, Params, Query, Body, Answer> & Access): PartnerCall {
  const { permission, forAgents = null, needsPasskey = false, weight = 1, isBounded = (definition.method ?? READ) === READ } = definition;
  return { ...buildCall(definition), permission, forAgents, needsPasskey, isBounded, weight };
}

/** The context of a sign-in call: there is no caller yet. */
export interface SignInContext {
  readonly deps: Deps;
  readonly requestId: string;
  /** The browser, as it describes itself. */
  readonly browser: string;
  /** Gives the browser the session that has just started. */
  readonly setCookie: (started: { readonly token: string; readonly id: string; readonly expiresAt: number }) => void;
}

/** Builds a call of the sign-in. */
export function defineSignInCall<
  Path extends string,
  Answer extends z.ZodType<object>,
  Params extends Shape = TextParams<Path>,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
>(definition: CallDefinition<SignInContext, Path, Params, Query, Body, Answer>): Call<SignInContext> {
  return buildCall(definition);
}
