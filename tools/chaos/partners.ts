import type { Answers } from "./auditor/answers.ts";
import type { ChaosSystem } from "./system.ts";

type Environment = "live" | "test";

interface Products {
  readonly oneTime: readonly string[];
  readonly monthly: string;
}

/** A partner of the run, with the knowledge of its own programs. */
export interface Partner {
  readonly id: string;
  readonly key: string;
  readonly products: Readonly<Record<Environment, Products>>;
  readonly ruble: number;
  /** Its receivers of test events: those of live ones would need HTTPS. Events go to the last registered one. */
  readonly inboxes: string[];
  /** The receivers of its further webhook, which is added, changed and removed. */
  readonly furtherInboxes: string[];
  /** The name of the further webhook; null while there is none, or while that is not certain. */
  further: string | null;
  /** All signing secrets that it has received. */
  readonly secrets: string[];
  /** The events that its program has read from the feed, by id, and how far it has come. */
  readonly feed: { readonly seen: Map<string, string>; cursor: string | null };
}

const NAMES = ["partner-north", "partner-south", "partner-east"];
const PERMISSIONS = ["product_create", "balance_view", "products_view", "payment_read", "bank_payment", "webhook_config"];

/** The dependencies for registering receivers. Their answers are checked against the description, like all. */
export interface Receivers {
  readonly system: ChaosSystem;
  readonly answers: Answers;
}

/** Milliseconds that an operator or a partner's program waits for an answer. */
const ANSWER_TIMEOUT = 60_000;

/** An operators' call that changes something. @throws if it is refused */
export function operate(system: ChaosSystem, path: string, body: object): Promise<Record<string, unknown>> {
  return callOps(system, path, { method: "POST", body: JSON.stringify(body) });
}

/**
 * Completes links that lack only their short link. In the first generation only support does this: the partner is
 * referred to support, and a repeat gets the same answer.
 */
export async function completeShortLinks(system: ChaosSystem): Promise<void> {
  for (;;) {
    const { data } = (await callOps(system, "short-links")) as { readonly data: readonly { readonly payment_link_id: string }[] };
    for (const { payment_link_id } of data) await operate(system, `payment-links/${payment_link_id}/short-link`, {});
    if (data.length === 0) return;
  }
}

/** Starts to move or split a partner, and works on it for a while. The cron continues it. */
export async function movePartner(system: ChaosSystem, partner: Partner, how: "move" | "split", to: string): Promise<void> {
  await operate(system, `partners/${partner.id}/${how}`, { to });
}

/** Continues running moves until their partners can sell again. */
export async function endMoves(system: ChaosSystem): Promise<void> {
  while ((await phasesOfMoves(system)).some((phase) => phase !== "switched")) await system.cron();
}

/** The phases of all moves, with those whose old rows are still being deleted. */
export async function phasesOfMoves(system: ChaosSystem): Promise<string[]> {
  const { data } = (await callOps(system, "moves")) as { readonly data: readonly { readonly phase: string }[] };
  return data.map(({ phase }) => phase);
}

async function callOps(system: ChaosSystem, path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const headers = { Authorization: "Bearer ops-local", "X-Operator": "chaos", "Content-Type": "application/json" };
  const response = await fetch(`${system.edge}/ops/${path}`, { ...init, headers, signal: AbortSignal.timeout(ANSWER_TIMEOUT) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`/ops/${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Creates the partners by operators' calls: partner, key, products, approval, receiver. */
export async function makePartners(receivers: Receivers): Promise<Partner[]> {
  const { system } = receivers;
  const partners: Partner[] = [];
  for (const [index, id] of NAMES.entries()) {
    await operate(system, "partners", { id, name: id });
    const { key } = await operate(system, `partners/${id}/keys`, { label: "shop", permissions: PERMISSIONS });
    const products = { live: await makeProducts(system, id, "live"), test: await makeProducts(system, id, "test") };
    const ruble = 5_000 + index;
    await operate(system, `partners/${id}/products`, {
      kind: "ruble",
      id: ruble,
      name: "Consultation",
      unit_amount: 50_000,
      terminal: "first",
      vat: "none",
    });
    await operate(system, `products/ruble/${ruble}/approve`, {});
    const partner = {
      id,
      key: String(key),
      products,
      ruble,
      inboxes: [],
      furtherInboxes: [],
      further: null,
      secrets: [],
      feed: { seen: new Map<string, string>(), cursor: null },
    };
    await registerReceiver(receivers, partner);
    await changeFurther(receivers, partner);
    partners.push(partner);
  }
  return partners;
}

async function makeProducts(system: ChaosSystem, partner: string, environment: Environment): Promise<Products> {
  const card = (name: string, more: object) =>
    product(system, partner, { kind: "card", environment, name, currency: "USD", type: "one_time", unit_amount: 1_900, ...more });
  const oneTime = [await card("Course", {}), await card("Book", { unit_amount: 2_900 })];
  return { oneTime, monthly: await card("Membership", { type: "subscription", interval: "month", interval_count: 1, unit_amount: 900 }) };
}

async function product(system: ChaosSystem, partner: string, fields: object): Promise<string> {
  const { id } = await operate(system, `partners/${partner}/products`, fields);
  const approved = await operate(system, `products/card/${String(id)}/approve`, { first_link: false });
  const { processor_product_id } = approved.product as { processor_product_id: string };
  return processor_product_id;
}

/** Registers a new receiver of a partner, and keeps the secret. Returns whether it is certain to be registered. */
export async function registerReceiver(receivers: Receivers, partner: Partner): Promise<boolean> {
  const inbox = `${partner.id}-${partner.inboxes.length + 1}`;
  // It may take effect even if the answer is lost.
  partner.inboxes.push(inbox);
  const address = `${receivers.system.sandbox}/inbox/${inbox}`;
  const answer = await ask(receivers, partner, "/register-partner-notifications-webhook", { test_url: address });
  const [registered] = (answer?.registered ?? []) as { signing_secret: string }[];
  if (registered !== undefined) keepSecret(partner, registered.signing_secret);
  return registered !== undefined;
}

/** Adds the further webhook, or moves it to a new receiver. Returns what was done; nothing is certain without an answer. */
export async function changeFurther({ system }: Receivers, partner: Partner): Promise<string> {
  const inbox = `${partner.id}-further-${partner.furtherInboxes.length + 1}`;
  partner.furtherInboxes.push(inbox);
  const webhook_url = `${system.sandbox}/inbox/${inbox}`;
  const { further } = partner;
  if (further !== null)
    return (await askWebhooks(system, partner, "PATCH", `/${further}`, { webhook_url })) === null ? "no answer" : "moved";
  // An answer that was lost may have added one: those that are known end first.
  await removeFurther(system, partner);
  const added = await askWebhooks(system, partner, "POST", "", { environment: "test", name: "further", webhook_url });
  if (added === null) return "no answer";
  keepSecret(partner, String(added.signing_secret));
  partner.further = String(added.webhook);
  return "added";
}

/** Removes all further webhooks of a partner. Returns whether that is certain. */
export async function removeFurther(system: ChaosSystem, partner: Partner): Promise<boolean> {
  const listed = (await askWebhooks(system, partner, "GET", "")) as { readonly data: readonly { readonly webhook: string }[] } | null;
  if (listed === null) return false;
  partner.further = null;
  for (const { webhook } of listed.data) {
    if (!webhook.includes(".")) continue;
    // Its secret was in an answer that may have been lost.
    const secret = await askWebhooks(system, partner, "POST", `/${webhook}/secret`, {});
    if (secret === null) return false;
    keepSecret(partner, String(secret.signing_secret));
    if ((await askWebhooks(system, partner, "DELETE", `/${webhook}`, {})) === null) return false;
  }
  return true;
}

/** The answer of a partner's call about webhooks; null without a successful one. */
async function askWebhooks(
  system: ChaosSystem,
  { key }: Partner,
  method: string,
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const headers = { "X-Partner-Api-Key": key, "Content-Type": "application/json" };
    const response = await fetch(`${system.edge}/partner/webhooks${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/**
 * Rotates the signing secret. If the answer is lost, the request is repeated with the same token, as a partner must.
 */
export async function rotateSecret(receivers: Receivers, partner: Partner, token: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await ask(receivers, partner, "/rotate-partner-webhook-secret", { environment: "test", client_token: token });
    if (typeof answer?.signing_secret === "string") return keepSecret(partner, answer.signing_secret);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function keepSecret(partner: Partner, secret: string): void {
  if (!partner.secrets.includes(secret)) partner.secrets.push(secret);
}

/** Null without a successful answer. */
async function ask(
  { system, answers }: Receivers,
  partner: Partner,
  path: string,
  body: object,
): Promise<Readonly<Record<string, unknown>> | null> {
  let response: Response;
  let text: string;
  try {
    const headers = { "X-Partner-Api-Key": partner.key, "Content-Type": "application/json" };
    response = await fetch(system.edge + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT),
    });
    text = await response.text();
  } catch {
    return null;
  }
  const answer = answers.check(path, response.status, text, partner.id);
  return answer?.success === true ? answer : null;
}
