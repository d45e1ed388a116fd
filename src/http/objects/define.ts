import * as z from "zod";
import type { Actor } from "../../core/actor.ts";
import type { Deps } from "../../deps.ts";
import type { CallDefinition, Shape, TextParams } from "../calls/call.ts";
import type { Download } from "../calls/download.ts";
import { defineCall, type OpsCall, type OpsNeeds } from "../ops/define-call.ts";
import { type Access, definePartnerCall, type PartnerCall, type PartnerContext } from "../partner/define-call.ts";
import { requirePartner } from "./partner-lookup.ts";

/** The caller of a call that partners and operators have. */
export interface Asker {
  readonly deps: Deps;
  readonly actor: Actor;
  /** The asking partner, whose rows alone are seen; null for an operator. */
  readonly partner: PartnerContext | null;
}

/** What one audience has of its own: the name and the words of a call, who may make it, and what its answer shows. */
interface Said<Path extends string, Answer extends z.ZodType<object>> {
  readonly command: string;
  readonly path: Path;
  readonly summary: string;
  readonly example?: string;
  /** What is not in it is left out of the answer: a field that only operators' schema has never reaches a partner. */
  readonly answer: Answer;
}

/** What operators have of their own. What is left out is as partners have it; the path then differs in its beginning. */
type SaidOfOperators<Answer extends z.ZodType<object>> = Partial<Said<string, Answer>>;

/** What operators have of a call, with what partners have where it says nothing else. */
function saidOf<Answer extends z.ZodType<object>, OpsAnswer extends z.ZodType<object>>(
  partner: Said<string, Answer>,
  { command = partner.command, summary = partner.summary, example = partner.example ?? "", ...own }: SaidOfOperators<OpsAnswer>,
  root: string,
) {
  const path = own.path ?? partner.path.replace(/^\/partner/, root);
  // Without an answer of its own, the operators' is that of the partner.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const answer = own.answer ?? (partner.answer as unknown as OpsAnswer);
  return { command, summary, example, path, answer };
}

type Shared = "isFile" | "method" | "params" | "body" | "positional" | "status" | "irreversible";

interface Pair<
  Path extends string,
  Params extends Shape,
  Query extends Shape,
  Filters extends z.ZodRawShape,
  Body extends z.ZodType,
  Answer extends z.ZodType<object>,
  OpsAnswer extends z.ZodType<object>,
> extends Pick<CallDefinition<Asker, Path, Params, Query, Body, Answer>, Shared | "query"> {
  readonly partner: Said<Path, Answer> & Access;
  /** `filters`: the optional fields that only operators' query has, such as the partner. */
  readonly operator: SaidOfOperators<OpsAnswer> & OpsNeeds & { readonly filters?: Filters };
  readonly run: (
    asker: Asker,
    input: {
      readonly params: z.output<Params>;
      readonly query: z.output<Query> & Partial<z.output<z.ZodObject<Filters>>>;
      readonly body: z.output<Body>;
    },
  ) => Promise<z.input<Answer> & z.input<OpsAnswer>>;
  readonly download?: (
    asker: Asker,
    input: { readonly params: z.output<Params>; readonly query: z.output<Query> & Partial<z.output<z.ZodObject<Filters>>> },
    accept: string,
  ) => Promise<Download | null>;
}

interface NoFilters {
  readonly [name: string]: never;
}

/** The two calls of one definition. */
export interface BothCalls {
  readonly partner: PartnerCall;
  readonly operator: OpsCall;
}

/**
 * Builds a call that partners and operators have: one rule, one answer. Both paths name the same parameters. An operator's query may have
 * further fields, and so may the answer.
 */
export function defineForBoth<
  Path extends string,
  Answer extends z.ZodType<object>,
  OpsAnswer extends z.ZodType<object> = Answer,
  Params extends Shape = TextParams<Path>,
  Query extends Shape = Shape,
  Filters extends z.ZodRawShape = NoFilters,
  Body extends z.ZodType = z.ZodType,
>(pair: Pair<Path, Params, Query, Filters, Body, Answer, OpsAnswer>): BothCalls {
  const { partner, operator, run, query, download, ...common } = pair;
  const { filters, ...ops } = operator;
  const inputOf = (checked: { readonly params: unknown; readonly query: unknown; readonly body: unknown }) =>
    // The schemas are those of the pair: the parameters of its path, and its query, of an operator with the filters.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    checked as Parameters<typeof run>[1];
  return {
    partner: definePartnerCall<Path, Answer, Params, Query, Body>({
      ...common,
      ...(query === undefined ? {} : { query }),
      ...partner,
      ...(download && {
        download: (context, input, accept) =>
          download({ deps: context.deps, actor: context.actor, partner: context }, inputOf({ ...input, body: {} }), accept),
      }),
      run: (context, input) => run({ deps: context.deps, actor: context.actor, partner: context }, inputOf(input)),
    }),
    operator: defineCall({
      ...common,
      query: (query ?? z.object({})).extend(filters ?? {}),
      ...ops,
      ...saidOf(partner, ops, "/ops"),
      ...(download && {
        download: (context, input, accept) => download({ ...context, partner: null }, inputOf({ ...input, body: {} }), accept),
      }),
      run: (context, input) => run({ ...context, partner: null }, inputOf(input)),
    }),
  };
}

type OfPartner = Pick<Asker, "deps" | "actor"> & {
  readonly asker: Asker;
  readonly partnerId: string;
};

interface OwnThings<Query extends Shape, Body extends z.ZodType, Answer extends z.ZodType<object>, OpsAnswer extends z.ZodType<object>>
  extends Pick<CallDefinition<Asker, string, Shape, Query, Body, Answer>, "method" | "body" | "positional" | "status" | "query"> {
  readonly partner: Said<`/partner/${string}`, Answer> & Access;
  readonly operator: SaidOfOperators<OpsAnswer> & OpsNeeds;
  readonly run: (
    of: OfPartner,
    input: { readonly query: z.output<Query>; readonly body: z.output<Body> },
  ) => Promise<z.input<Answer> & z.input<OpsAnswer>>;
}

/**
 * Builds a call about the things of one partner: of the caller, or of the partner in an operator's path.
 * @throws CallRefusal 404 for an unknown partner
 */
export function defineForPartner<
  Answer extends z.ZodType<object>,
  OpsAnswer extends z.ZodType<object> = Answer,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
>(things: OwnThings<Query, Body, Answer, OpsAnswer>): BothCalls {
  const { partner, operator, run, query, ...common } = things;
  const optional = query === undefined ? {} : { query };
  return {
    partner: definePartnerCall<`/partner/${string}`, Answer, Shape, Query, Body>({
      ...common,
      ...optional,
      ...partner,
      run(context, input) {
        const { deps, actor, caller } = context;
        return run({ deps, actor, asker: { deps, actor, partner: context }, partnerId: caller.partnerId }, input);
      },
    }),
    operator: defineCall<string, OpsAnswer, z.ZodObject<{ partner: z.ZodString }>, Query, Body>({
      ...common,
      ...optional,
      ...operator,
      ...saidOf(partner, operator, "/ops/partners/{partner}"),
      params: z.object({ partner: z.string() }),
      async run({ deps, actor }, { params, ...input }) {
        const { id } = await requirePartner(deps, params.partner);
        return run({ deps, actor, asker: { deps, actor, partner: null }, partnerId: id }, input);
      },
    }),
  };
}
