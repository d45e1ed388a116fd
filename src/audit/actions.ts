/**
 * What is changed for a partner, as the audit log names it, in words that follow the name of the actor. The dashboard of partners has the same
 * in its other languages.
 */
export const partnersActions = {
  "product.submit": "submitted a product",
  "product.create": "added a product",
  "product.change": "changed a product",
  "product.approve": "approved a product",
  "product.reject": "rejected a product",
  "products.import": "imported products",
  "payment_link.disable": "disabled a payment link",
  "payment_link.enable": "enabled a payment link",
  "payment_link.limit": "limited a payment link",
  "payment_link.create_first": "made a product's first link",
  "short_link.complete": "made a missing short link",
  "promotion_code.deactivate": "stopped a promotion code",
  "subscription.set_cancel": "changed when a subscription ends",
  "key.issue": "made a key",
  "key.revoke": "revoked a key",
  "key.set_permissions": "changed what a key may do",
  "employee.create": "added a person",
  "employee.invite": "invited a person",
  "employee.accept_invitation": "accepted the invitation",
  "employee.set_permissions": "changed what a person may do",
  "employee.disable": "disabled a person",
  "employee.enable": "enabled a person",
  "session.start": "signed in",
  "session.verify": "proved with a passkey that it is them",
  "session.end": "ended a session",
  "passkey.add": "added a passkey",
  "passkey.remove": "removed a passkey",
  "grant.give": "let an agent in",
  "grant.revoke": "took an agent's access away",
  "grant.set_confirmations": "changed what of an agent waits for a person",
  "confirmation.approve": "confirmed what an agent asked for",
  "confirmation.refuse": "refused what an agent asked for",
  "endpoint.register": "registered a webhook",
  "endpoint.add": "added a webhook",
  "endpoint.change": "changed a webhook",
  "endpoint.remove": "removed a webhook",
  "endpoint.unregister": "unregistered a webhook",
  "endpoint.resume": "resumed a webhook",
  "endpoint.suspend": "suspended a webhook",
  "endpoint.read_secret": "looked at a signing secret",
  "endpoint.rotate_secret": "rotated a signing secret",
  "endpoint.send_again": "sent the events of a webhook again",
  "endpoint.restart_exhausted": "sent the events that failed permanently again",
  "endpoint.restart_pending": "sent waiting events at once",
  "webhook.test": "sent a test event",
  "delivery.resend": "sent an event again",
  "delivery.resend_chosen": "sent chosen events again",
  "chat.set": "set the chat",
  "chat.remove": "removed the chat",
  "email.add": "added an e-mail address",
  "email.remove": "removed an e-mail address",
  "terms.set": "set what the service keeps",
  "payout.enter": "entered a payout",
  "payout.approve": "approved a payout",
  "payout.reverse": "reversed a payout",
  "statement.close": "closed a statement",
  "movement.assign": "named the partner of a payment",
  "movement.dismiss": "dismissed a movement without a partner",
  "ledger.retry": "had a payment looked up again",
  "orders.rebuild": "computed the orders again",
  "bank.dismiss": "dismissed a notification of the bank",
  "parked.dismiss": "dismissed a payment that was parked",
  "partner.create": "added the partner",
  "partner.disable": "disabled the partner",
  "partner.enable": "enabled the partner",
  "partner.rename": "renamed the partner",
  "partner.set": "changed the settings",
  "partner.set_contact": "changed the contact",
  "partner.set_cancel_permission": "changed whether the partner may cancel subscriptions",
  "partner.move": "began to move the partner's data",
  "partner.split": "began to split the partner's data",
  "partner.stay": "stopped the move of the partner's data",
  "partner.view": "looked at the dashboard",
} as const;

/** Actions that are about no partner. */
export const servicesActions = {
  erase: "erased what names a person",
  "bank.refresh": "asked the bank for an order",
  "bank_fee.enter": "entered a fee of the bank",
  "bank_refund.enter": "entered a refund of the bank",
  "ledger.refresh": "asked the processor for a payment",
  "ledger.compare_again": "had the ledger compared again",
  "note.add": "wrote a note",
  "note.delete": "deleted a note",
  "operator.set_roles": "changed an operator's roles",
  "operator_session.start": "signed in to the console",
  "operator_session.end": "ended a session of the console",
  "secrets.re-encrypt": "encrypted secrets with a new key",
  "snapshots.refill": "wrote snapshots again",
} as const;

const auditActions = { ...partnersActions, ...servicesActions };

/** An action of the audit log: whatever a person can change has one. */
export type AuditAction = keyof typeof auditActions;

/** What was done, in words that follow the name of the actor. A row of an earlier version may have another action. */
export const wordsOfAction = (action: string): string =>
  new Map<string, string>(Object.entries(auditActions)).get(action) ?? `did ${action}`;

const HOLDERS: Readonly<Record<string, string>> = { holder: "the key", person: "the person", agent: "the agent" };

/** An actor of the audit log in words: a key, a person or an agent by its id; an operator by name. */
export function wordsOfActor(actor: string): string {
  const [kind = "", ...rest] = actor.split(" ");
  const name = HOLDERS[kind];
  const id = rest.find((word) => word.includes("_"));
  return name === undefined || id === undefined ? actor : `${name} ${id}`;
}
