import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** A daily task that a person begins in their host: its arguments, and the instructions for the agent. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: Readonly<Record<string, z.ZodType<string | undefined>>>;
  readonly text: (args: Readonly<Record<string, string | undefined>>) => string;
}

const text = (describe: string) => z.string().trim().min(1).max(500).describe(describe);

/** The four daily tasks. A test holds that each tool that they name is there. */
export const prompts: readonly Prompt[] = [
  {
    name: "sell",
    title: "Make a payment link",
    description: "Find the products of an order and make the link that its customer pays by",
    args: { order: text("What the customer buys, in your words"), reference: text("Your order number").optional() },
    text: ({ order, reference }) => `Make a payment link for this order: ${order}
${reference === undefined ? "" : `Its order number is ${reference}.\n`}
1. Find the products and their prices with \`list-partner-products\`. Only approved ones are sold. If one is missing or not clear, ask me.
2. Tell me the items, quantities, prices, the total with its currency, and whether it is test or live. Wait for my yes.
3. Call \`create-partner-processor-cart-payment-link\` once, with a new client_token. If it fails, repeat it with the same client_token.
4. Give me the short_url${reference === undefined ? "" : `, with ?client_reference_id=${encodeURIComponent(reference)} behind it`}, and nothing else of the answer.`,
  },
  {
    name: "look-into-order",
    title: "Look into an order",
    description: "What became of an order: paid, refunded, disputed, and whether your server heard of it",
    args: { order: text("Your order number, the customer's e-mail address, or an id") },
    text: ({ order }) => `Tell me what became of this order: ${order}
1. Find it with \`list-partner-orders\` (by reference or e-mail), or \`get-partner-order\` if it is a payment's id. If there are several, list them and ask which.
2. Say in two sentences what was paid, how, what was refunded or disputed, and what is kept, with dates and currencies.
3. Look with \`list-partner-deliveries\` whether our server took its events. If not, say what it answered and when it is tried again.
Change nothing.`,
  },
  {
    name: "reconcile-month",
    title: "Reconcile a month",
    description: "Sales, refunds, fees, statement and payouts of a month, and whether they fit",
    args: {
      month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month, such as 2026-10")
        .describe("The month, such as 2026-10"),
    },
    text: ({ month }) => `Reconcile the month ${month}, live.
1. \`report-partner-sales\` for it by currency: gross, discounts, refunds, disputes, fees and net. Never add up different currencies.
2. \`list-partner-statements\` and \`get-partner-statement\` for that month: compare its sums with the report, and name each difference with its reason.
3. \`list-partner-payouts\` and \`get-partner-balance\`: what was paid out, and what is still to come.
Give me one table for each currency, then what I have to look at. Change nothing.`,
  },
  {
    name: "repair-webhook",
    title: "Repair a webhook",
    description: "Why our server does not take events, and what to do",
    args: { environment: z.enum(["live", "test"]).optional().describe("live unless said") },
    text: ({ environment = "live" }) => `Find out why our webhook does not take events, in ${environment}.
1. \`list-partner-webhooks\` and \`get-partner-webhook-health\`: its state, and since when it fails.
2. \`list-partner-deliveries\` for failed and waiting ones, and \`get-partner-delivery\` for the newest: what our server answered.
3. Say what is wrong on our side, in words for the person who runs the server, with the requirement of the documentation (docs://webhooks) that is not met.
4. Say how many events wait, and that they can be sent again from the dashboard once it is repaired. Change nothing.`,
  },
];

export function registerPrompts(server: McpServer): void {
  for (const { name, title, description, args, text: textOf } of prompts) {
    server.registerPrompt(name, { title, description, argsSchema: z.object(args) }, (given) => ({
      messages: [{ role: "user", content: { type: "text", text: textOf(given) } }],
    }));
  }
}
