import { partOf, type Thing, textOf, type World } from "./world.ts";

/** The owners of objects, by the processor's data alone: the metadata of a link, a payment or a subscription. */
export class Owners {
  readonly #things: ReadonlyMap<string, Thing>;
  /** The subscription of each invoiced payment. */
  readonly #subscriptions = new Map<string, string>();

  /** The bank's payments, by order id. */
  readonly #bankPayments: ReadonlyMap<string, Thing>;
  /** The partner that received the order's id, by that id. */
  readonly #ordered: ReadonlyMap<string, string>;
  /** The partner that received a payment at the bank, by payment id. */
  readonly #given: ReadonlyMap<string, string>;

  constructor({ things, orders }: Pick<World, "things" | "orders">) {
    this.#things = new Map(things.map((thing) => [thing.id, thing]));
    this.#bankPayments = new Map(
      things.filter(({ object }) => object === "bank_payment").map((thing) => [textOf(thing, "order_id"), thing]),
    );
    this.#ordered = new Map(orders.flatMap(({ payAt, partner }) => (payAt === null ? [] : [[payAt, partner.id] as const])));
    this.#given = new Map(
      orders.filter(({ kind }) => kind === "bank").flatMap(({ made, partner }) => made.map((id) => [id, partner.id] as const)),
    );
    for (const paid of things.filter(({ object }) => object === "invoice_payment")) {
      const invoice = this.#things.get(textOf(paid, "invoice"));
      const subscription = textOf(partOf(partOf(invoice, "parent"), "subscription_details"), "subscription");
      this.#subscriptions.set(textOf(partOf(paid, "payment"), "payment_intent"), subscription);
    }
  }

  thing(id: string): Thing | undefined {
    return this.#things.get(id);
  }

  /** The partner in the metadata of a link, a code, a payment or a subscription; empty for none. */
  of(id: string): string {
    const own = textOf(partOf(this.#things.get(id), "metadata"), "partner_id");
    return own === "" ? textOf(partOf(this.#things.get(this.#subscriptions.get(id) ?? ""), "metadata"), "partner_id") : own;
  }

  bankPayment(orderId: string): Thing | undefined {
    return this.#bankPayments.get(orderId);
  }

  /**
   * The partner that received a payment at the bank; empty if no answer contained it. Only such payments can be paid.
   */
  ofBankPayment(paymentId: string): string {
    return this.#given.get(paymentId) ?? "";
  }

  /** The partner that received an order at the bank; empty if no answer contained it. */
  ofBankOrder({ order_id }: Thing): string {
    return this.#ordered.get(String(order_id)) ?? "";
  }

  /** The payment of a movement; empty if there is none. */
  intentOf(transaction: Thing): string {
    const source = this.#things.get(textOf(transaction, "source"));
    const charge = textOf(source, "charge") === "" ? source : this.#things.get(textOf(source, "charge"));
    return textOf(source, "payment_intent") || textOf(charge, "payment_intent");
  }

  ofMovement(transaction: Thing): string {
    return this.of(this.intentOf(transaction));
  }
}
