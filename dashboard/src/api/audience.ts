import type { Client } from "openapi-fetch";
import type { OpenapiQueryClient } from "openapi-react-query";
import type { ComponentType, ReactNode } from "react";
import type { paths } from "./schema.d.ts";

/** Whose an object is: an operator's answer says it, a partner's has no need to. */
interface Owned {
  readonly processor_url?: string | null | undefined;
  readonly partner_id?: string | null;
  readonly environment?: "live" | "test" | null;
}

type Fact = readonly [name: string, value: ReactNode];

/**
 * Who looks at an object: its partner, or an operator. The pages of objects are drawn for both, from the partner's calls; an operator's
 * client sends them to the operators' calls of the same definition, which answer the same fields and the owner.
 */
export interface Audience {
  readonly name: "partner" | "operator";
  readonly client: Client<paths>;
  readonly api: OpenapiQueryClient<paths>;
  /** The address of a partner's call for this audience, for a link. */
  readonly addressOf: (path: string) => string;
  /** Whose the object is, and of which environment, as facts; a partner knows both. */
  readonly ownerFacts: (object: Owned) => readonly Fact[];
  readonly PartnerLink: ComponentType<{ readonly id: string | null }>;
  /** The story of an order, as a card. */
  readonly Story: ComponentType<{ readonly query: string }>;
  /** What people did about an object: to operators their notes, to a partner's owners who changed it. */
  readonly History: ComponentType<{ readonly target: string }>;
  /** The name of an actor of the audit log, as people say it. */
  readonly useActorName: () => (actor: string) => string;
  /** Whether the reader sees what a right of partners is for. */
  readonly useMay: (right: "balance_view" | "bank_payment" | "products_view") => boolean;
  /** Shows an object in its own environment. */
  readonly useEnvironmentOf: (object: { readonly environment: "live" | "test" } | undefined) => void;
}

let own: Audience | null = null;

/** Each application says its own when it starts. */
export function setAudience(wanted: Audience): void {
  own = wanted;
}

/** The audience of the application. */
export function audience(): Audience {
  if (own === null) throw new Error("the application has not said who it is for");
  return own;
}
