import type * as z from "zod";
import type { Actor } from "../../core/actor.ts";
import type { Deps, PartnerDeps } from "../../deps.ts";
import type { Caller } from "../../partners/authenticate.ts";
import type { Permission } from "../../partners/permissions.ts";
import { buildCall, type Call, type CallDefinition, type Shape, type TextParams } from "../calls/call.ts";

/**
 * The context of a partner's call besides its input. The partner is always the caller: no call takes a partner from the
 * request.
 */
export interface PartnerContext {
  readonly deps: Deps;
  /** The dependencies with the caller's data. */
  readonly own: PartnerDeps;
  readonly caller: Caller;
  /** The holder of the key, for the audit log. */
  readonly actor: Actor;
}

/** A partner's call, with any input. */
export interface PartnerCall extends Call<PartnerContext> {
  readonly permission: Permission;
}

/** Builds a call for partners' own programs and people. */
export function definePartnerCall<
  Path extends string,
  Answer extends z.ZodType<object>,
  Params extends Shape = TextParams<Path>,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
>(definition: CallDefinition<PartnerContext, Path, Params, Query, Body, Answer> & { readonly permission: Permission }): PartnerCall {
  return { ...buildCall(definition), permission: definition.permission };
}
