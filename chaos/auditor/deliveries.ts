import { createHmac } from "node:crypto";
import type { Books } from "./books.ts";
import type { Violation } from "./violation.ts";
import type { Delivery, KnownPartner, World } from "./world.ts";

/** Every event has come to its partner, signed with a secret of the partner's; and to nobody else. */
export function auditDeliveries(books: Books, { received, partners }: World): Violation[] {
  const wrong: Violation[] = [];
  const taken = new Set<string>();
  const events = new Map(books.rows("SELECT id, partner_id, name, cause FROM events").map((row) => [String(row.id), row]));
  for (const partner of partners) {
    for (const inbox of partner.inboxes) {
      for (const delivery of received.get(inbox) ?? []) {
        const id = delivery.headers["service-event-id"] ?? "";
        const event = events.get(id);
        if (event?.partner_id !== partner.id) {
          wrong.push({
            promise: "nobody sees another's",
            what: `${inbox} got ${id}, which is ${String(event?.partner_id)}'s`,
            about: id,
          });
        }
        if (!isSigned(delivery, id, partner))
          wrong.push({
            promise: "every delivery is signed",
            what: `${inbox} got ${id} with a signature that does not verify`,
            about: transactionIn(event?.cause),
          });
        if (delivery.answered >= 200 && delivery.answered < 300) taken.add(`${partner.id} ${id}`);
      }
    }
  }
  for (const [id, { partner_id, name, cause }] of events) {
    if (!taken.has(`${partner_id} ${id}`))
      wrong.push({
        promise: "nothing is lost",
        what: `${String(name)} ${id} never came to ${String(partner_id)}`,
        about: transactionIn(cause),
      });
  }
  return [...wrong, ...auditEvents(books)];
}

/** Every completed payment has its event, and no cause has two. */
function auditEvents(books: Books): Violation[] {
  const causes = books.rows("SELECT cause, count(*) AS count FROM events GROUP BY partner_id, cause");
  const doubled = causes
    .filter(({ count }) => Number(count) > 1)
    .map(({ cause }) => ({ promise: "every object is made once", what: `two events for ${cause}`, about: String(cause) }));
  const known = new Set(causes.map(({ cause }) => cause));
  const paid = books.rows("SELECT id FROM movements WHERE status = 'completed' AND type = 'processor_payment_in'");
  const missing = paid.filter(({ id }) => !known.has(`payment.succeeded:${id}`));
  return [
    ...doubled,
    ...missing.map(({ id }) => ({ promise: "nothing is lost", what: `no event says that ${id} succeeded`, about: transactionIn(id) })),
  ];
}

/** The processor's movement in a cause or an id of ours. */
function transactionIn(text: string | number | null | undefined): string {
  return String(text).split("processor:").at(-1) ?? "";
}

/** The signature as the webhook guide has it: HMAC-SHA256 over id, time and body, with any secret that the partner holds. */
function isSigned({ headers, body }: Delivery, id: string, { secrets }: KnownPartner): boolean {
  const time = headers["service-timestamp"] ?? "";
  const values = (headers["service-signature"] ?? "").split(" ").map((value) => value.replace(/^v1,/, ""));
  return secrets.some((secret) => values.includes(createHmac("sha256", secret).update(`${id}.${time}.${body}`).digest("hex")));
}
