/** A customer's payment. One of the two says through which link. */
export interface Pay {
  readonly short_url?: string;
  readonly payment_link_id?: string;
  /** Your order reference, as your shop adds it to the short link. */
  readonly client_reference_id?: string;
  readonly email?: string;
  readonly promotion_code?: string;
  /** Default: it succeeds. A pending one is ended by `settle`. */
  readonly outcome?: "succeeded" | "pending" | "failed";
}

/** The processor's ids of a payment; null for what there is not. */
export interface Paid {
  readonly checkout_session: string;
  readonly payment_intent: string | null;
  readonly subscription: string | null;
  readonly charge: string | null;
  readonly balance_transaction: string | null;
}

export interface PaidRubles {
  readonly order_id: string;
  readonly outcome?: "confirmed" | "rejected";
}

export interface Refund {
  readonly payment_intent: string;
  /** Minor units; the rest unless given. */
  readonly amount?: number;
  /** Whether it is made and then fails. */
  readonly fail?: boolean;
}

export interface Disputed {
  readonly payment_intent: string;
  /** Whether the customer's bank only asks: it takes no money. */
  readonly inquiry?: boolean;
  /** The customer's reason, in the processor's word; `fraudulent` unless given. */
  readonly reason?: string;
  /** When evidence is due; in 14 days unless given. */
  readonly due_in_days?: number;
}

export interface Advanced {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
}

/** A delivery that an inbox of the sandbox took. */
export interface Received {
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A failure of the processor or the bank, for the next calls of a name. */
export interface Fault {
  readonly target: "processor" | "bank";
  /** Such as `payment_links.create` or `bank.Init`; a wrong one is refused with all names. */
  readonly call: string;
  readonly times: number;
  /** `reset_after`: the effect happens, and the answer is lost. */
  readonly kind: "http_500" | "http_429" | "http_403" | "http_400" | "timeout" | "reset" | "reset_after" | "refuse_method" | "bank_error";
  readonly ms?: number;
  /** Seconds, of `http_429`. */
  readonly retry_after?: number;
  /** Of `bank_error`. */
  readonly error_code?: string;
  /** Whether the failure is the stored result of its key, as the processor keeps it. */
  readonly stored?: boolean;
  readonly method?: string;
}

/** What a test lets customers, the processor and the bank do. */
export interface Control {
  /** A customer pays. */
  pay(payment: Pay): Promise<Paid>;
  /** Ends a pending payment. */
  settle(payment: { readonly payment_intent: string; readonly outcome: "succeeded" | "failed" }): Promise<unknown>;
  /** A customer pays a ruble payment, or the bank refuses it. */
  payRubles(payment: PaidRubles): Promise<unknown>;
  /** A customer opens a link and leaves: the checkout ends unpaid. */
  abandon(payment: Pay): Promise<unknown>;
  refund(refund: Refund): Promise<unknown>;
  /** A customer disputes a payment. The answer names the dispute, for `closeDispute`. */
  dispute(payment: Disputed): Promise<{ readonly dispute: string }>;
  closeDispute(verdict: { readonly dispute: string; readonly won: boolean }): Promise<unknown>;
  /** The next period of a subscription is invoiced and paid. */
  renew(subscription: { readonly subscription: string }): Promise<unknown>;
  /** Lets the next calls to the processor or the bank fail. */
  fail(fault: Fault): Promise<unknown>;
  /** Lets time pass: what is due by then is done, for example the next attempts to deliver. Signatures are then of that time. */
  advance(time: Advanced): Promise<{ readonly now: string }>;
  /** What the sandbox's own receiver `<sandbox>/inbox/<name>` took, oldest first. */
  inbox(name: string): Promise<readonly Received[]>;
}

export interface LocalOptions {
  /** The port of the service; a free one unless given. */
  readonly port?: number;
  /** The port of the sandbox, which plays the processor, the bank and their customers; a free one unless given. */
  readonly sandboxPort?: number;
  /** A folder that keeps everything between two starts. Without it each start is new. */
  readonly stateDir?: string;
  /** Whether there are partners, keys and products to try things with; default true. */
  readonly fixtures?: boolean;
  /** What the service logs, line by line; nothing unless given. */
  readonly log?: (line: string) => void;
}

/** The whole service on this machine. */
export interface LocalService extends Control {
  /** The address of the service, for a client. */
  readonly url: string;
  /** The address of the sandbox: its page shows payments, and lets you be the customer. */
  readonly sandbox: string;
  /** A key with all permissions; null without fixtures. */
  readonly key: string | null;
  /** A link that signs in to the dashboard once. */
  dashboardLink(): Promise<string | null>;
  /** Ends everything. */
  stop(): Promise<void>;
}
