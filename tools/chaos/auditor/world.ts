/** An object of the processor or the bank, as the sandbox stores it. */
export type Thing = Readonly<Record<string, unknown>> & { readonly id: string; readonly object: string };

/** The data outside the service: of the processor, the bank, the partners' receivers, and the partners. */
export interface World {
  readonly things: readonly Thing[];
  /** The lines of each payment link at the processor. */
  readonly lines: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** The requests to each receiver. */
  readonly received: ReadonlyMap<string, readonly Delivery[]>;
  readonly partners: readonly KnownPartner[];
  readonly orders: readonly KnownOrder[];
  /** Lines of the service's log. */
  readonly log: readonly string[];
}

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly answered: number;
}

export interface KnownPartner {
  readonly id: string;
  readonly key: string;
  readonly inboxes: readonly string[];
  readonly furtherInboxes: readonly string[];
  /** The bodies of events that its program has read from the feed, by id. */
  readonly feed: { readonly seen: ReadonlyMap<string, string> };
  readonly secrets: readonly string[];
}

export interface KnownOrder {
  readonly partner: { readonly id: string };
  readonly kind: "cart" | "link" | "code" | "bank";
  readonly token: string;
  /** The ids in the answers. */
  readonly made: readonly string[];
  /** Where a customer pays: a short URL, or the bank's order id; null before the first answer. */
  readonly payAt: string | null;
  /** The ordered lines: unit amount in minor units, and quantity. */
  readonly lines: readonly (readonly [unitAmount: number, quantity: number])[];
}

/** A text field; empty if it is not a text. */
export function textOf(thing: Readonly<Record<string, unknown>> | undefined, field: string): string {
  const value = thing?.[field];
  return typeof value === "string" ? value : "";
}

/** An object field; empty if it is not an object. */
export function partOf(thing: Readonly<Record<string, unknown>> | undefined, field: string): Readonly<Record<string, unknown>> {
  const value = thing?.[field];
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
