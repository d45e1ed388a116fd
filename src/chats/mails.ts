import * as z from "zod";
import { environmentSchema } from "../core/environment.ts";
import { jsonObjectSchema, parseJson } from "../core/json.ts";
import type { Settings } from "../core/settings.ts";
import type { Mail } from "./mailer.ts";
import { messageOf } from "./messages.ts";

/** The subjects of messages about events, by the names of the events: what a person must know in time. */
const SUBJECTS: Readonly<Record<string, string>> = {
  "Processor.dispute.opened": "A customer disputes a payment",
  "Processor.dispute.evidence_due": "Evidence for a dispute is due",
  "Partner.webhook.failing": "Your webhook fails",
  "Partner.webhook.recovered": "Your webhook takes deliveries again",
};

type MailSettings = Pick<Settings, "brand" | "dashboardOrigin">;

const namedSchema = z.object({ event: z.string(), environment: environmentSchema });

/** Where its reader stops these messages. */
const footerOf = ({ dashboardOrigin }: MailSettings) =>
  dashboardOrigin === null
    ? "An owner of the account has entered this address."
    : `Addresses are changed at ${dashboardOrigin}/dashboard/webhooks?tab=chat`;

const named = ({ brand }: MailSettings, subject: string) => (brand.name === null ? subject : `${brand.name}: ${subject}`);

/** The message about an event, by its body. @throws for an event without one */
export function mailAbout(settings: MailSettings, to: string, body: string): Mail {
  const { event, environment } = namedSchema.parse(parseJson(jsonObjectSchema, body));
  const subject = SUBJECTS[event];
  if (subject === undefined) throw new Error(`${event} has no message for an address`);
  const text = `${messageOf(body)}\n\n${footerOf(settings)}\n`;
  return { to, subject: named(settings, environment === "test" ? `[test] ${subject}` : subject), text };
}

/** The message with the code by which an address is confirmed. */
export function mailWithCode(settings: MailSettings, to: string, code: string): Mail {
  const text = `The code is ${code}\n\nIt is valid today and tomorrow. Enter it where the address was entered. If you do not expect this message, do nothing: without the code nothing else is sent here.\n`;
  return { to, subject: named(settings, "Confirm this address"), text };
}
