/** The names of calls whose command is no name that people would use. */
const NAMES: Readonly<Record<string, string>> = {
  find: "Find",
  story: "Show the timeline of an order",
  explain: "What would a repeat get?",
  waiting: "What waits for a person",
  "work list": "Late work of the service",
  status: "Health of the service",
  figures: "Figures by day",
  erase: "Erase personal data",
  cells: "Databases",
  "partners create": "Add a partner",
  "partners show": "Show a partner",
  "partners view": "Look at a partner's dashboard",
  "partners set-cancel": "Require a permission to cancel subscriptions",
  "partners contact": "Set a partner's contact",
  "partners rename": "Rename a partner",
  "partners move": "Move a partner to another database",
  "partners split": "Split a partner by time",
  "partners stay": "Cancel a move",
  "partners moves": "Moves that are going on",
  "employees add": "Add a person to a partner",
  "employees invite": "Invite a person",
  "employees permit": "Change a person's permissions",
  "keys issue": "Issue a key",
  "keys refused": "Keys that were refused",
  "keys permit": "Change a key's permissions",
  "grants revoke": "End an agent's access",
  "grants list": "A partner's agents",
  "products create": "Add a product",
  "products search": "Products",
  "products link": "Make a link at the present price",
  "products import": "Import products from a file",
  "short-links waiting": "Links without a short link",
  "short-links complete": "Make a link's missing short link",
  "snapshots refill": "Fetch the processor's objects of a database again",
  "promotion-codes deactivate": "Stop a promotion code",
  "endpoints list": "Webhooks in trouble",
  "endpoints send-exhausted": "Resend what failed permanently",
  "endpoints send-again": "Resend everything since a time",
  "secrets re-encrypt": "Encrypt secrets with the current key",
  "deliveries list": "Events",
  "deliveries resend": "Resend an event",
  "ledger show": "The state of the ledger",
  "ledger refresh": "Ask the processor for a payment again",
  "ledger compare-again": "Compare with the processor again",
  "movements waiting": "Payments without a partner",
  "movements assign": "Give a payment to a partner",
  "movements dismiss": "Leave a payment without a partner",
  "parked-payments list": "Payments that could not be looked up",
  "parked-payments retry": "Look a payment up again",
  "parked-payments dismiss": "Give up looking a payment up",
  "books check": "Compare a month",
  "books rebuild": "Make a partner's orders again",
  "bank show": "The state of the bank's notifications",
  "bank-orders show": "Show a ruble payment",
  "bank-orders list": "Ruble payments",
  "bank-orders refresh": "Ask the bank for a payment again",
  "bank-orders enter-refund": "Enter a refund of the bank",
  "bank-notifications waiting": "Bank notifications that were not applied",
  "bank-notifications dismiss": "Close a bank notification",
  "operators set": "Set an operator's roles",
  "notes add": "Write a note",
  "audit list": "Audit log",
};

/** The name of a call, in people's words: `partners disable` is "Disable a partner". */
export function nameOfCall(command: string): string {
  const known = NAMES[command];
  if (known !== undefined) return known;
  const [noun = "", verb = "show"] = command.split(" ");
  const thing = noun.replaceAll("-", " ");
  const one = thing.replace(/s$/, "");
  if (verb === "list") return `${thing.charAt(0).toUpperCase()}${thing.slice(1)}`;
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${/^[aeiou]/.test(one) ? "an" : "a"} ${one}`;
}

/** The labels of fields whose name is no name that people would use. */
const LABELS: Readonly<Record<string, string>> = {
  id: "Id",
  unit_amount: "Price",
  vat: "VAT",
  receipt_subject: "Receipt: subject (tag 1212)",
  receipt_method: "Receipt: method (tag 1214)",
  measurement_unit: "Receipt: unit (FFD 1.2)",
  q: "Anything that names it",
  url: "URL",
  partner_id: "Partner",
  partner: "Partner",
  interval: "Billing interval",
  interval_count: "Intervals per billing period",
  type: "Sold as",
  payment_method_types: "Payment methods",
  processor_product_id: "Product at the processor",
  first_link: "Make its first link",
  close_links: "Close its open links too",
  expires_at: "Valid until",
  cell: "Database",
  key: "Key",
  payment_intent_id: "Payment at the processor",
  client_reference_id: "Order reference",
  email: "E-mail address",
  to: "To database",
  employee_id: "Belongs to",
};

/** The label of a field. */
export function labelOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return LABELS[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The words of a value that people choose. */
const VALUES: Readonly<Record<string, string>> = {
  one_time: "One-time payment",
  subscription: "Subscription",
  card: "Card product",
  ruble: "Ruble product",
  live: "Live",
  test: "Test",
};

export const wordsOfValue = (value: string): string => VALUES[value] ?? value.replaceAll("_", " ");
