import * as z from "zod";
import type { Control } from "./types.ts";

type Ask = <Answer>(path: string, body: object | null, schema: z.ZodType<Answer>) => Promise<Answer>;

const id = z.string().nullable().default(null);
const paid = z.object({ checkout_session: z.string(), payment_intent: id, subscription: id, charge: id, balance_transaction: id });
const received = z.array(z.object({ at: z.number(), headers: z.record(z.string(), z.string()), body: z.string() }));
const any = z.unknown();

/** The calls of the sandbox's control. */
export const controlOf = (ask: Ask): Control => ({
  pay: (payment) => ask("pay", payment, paid),
  settle: (payment) => ask("settle", payment, any),
  payRubles: (payment) => ask("bank/pay", payment, any),
  abandon: (payment) => ask("abandon", payment, any),
  refund: (refund) => ask("refund", refund, any),
  dispute: (payment) => ask("dispute", payment, z.object({ dispute: z.string() })),
  closeDispute: (verdict) => ask("dispute/close", verdict, any),
  renew: (subscription) => ask("renew", subscription, any),
  fail: (fault) => ask("faults", fault, any),
  advance: (time) => ask("advance", time, z.object({ now: z.string() })),
  inbox: (name) => ask(`inbox/${encodeURIComponent(name)}`, null, received),
});

const refusal = z.object({ error: z.string() });

/** Asks the sandbox at an address. Throws its message if it refuses. */
export const askingAt =
  (sandbox: string): Ask =>
  async (path, body, schema) => {
    const response = await fetch(`${sandbox}/control/${path}`, body === null ? {} : { method: "POST", body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    if (response.ok) return schema.parse(answer);
    const said = refusal.safeParse(answer);
    throw new Error(`${path}: ${said.success ? said.data.error : response.status}`);
  };
