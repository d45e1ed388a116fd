import type { Settings } from "../core/settings.ts";
import { fetchUpstream } from "../core/trace.ts";

/** A message to one address, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Why a message was not taken. */
interface MailFault {
  /** The platform's code. */
  readonly code: string;
  /** Whether the recipient is the reason; otherwise the sender is, or the platform. */
  readonly isOfRecipient: boolean;
}

/** Sends a message. Returns null if it was taken. Never throws. */
export type Mailer = (mail: Mail) => Promise<MailFault | null>;

/** The platform's codes: E_RECIPIENT_NOT_ALLOWED. Its other texts may name the address. */
const CODE = /^E_[A-Z_]{1,60}$/;

const faultOf = (code: string): MailFault => ({ code, isOfRecipient: code.startsWith("E_RECIPIENT_") });

/**
 * What sends messages: the platform's e-mail binding, from the address of MAIL_FROM. In local development they go to the inbox `mail` of
 * the sandbox. Null: this service sends none.
 */
export function createMailer(
  { local, mailFrom, processor }: Pick<Settings, "local" | "mailFrom" | "processor">,
  binding?: SendEmail,
): Mailer | null {
  if (local) return (mail) => sendToSandbox(`${processor.base}/inbox/mail`, mail);
  if (binding === undefined || mailFrom === null) return null;
  return async ({ to, subject, text }) => {
    try {
      await binding.send({ from: mailFrom, to, subject, text });
      return null;
    } catch (thrown) {
      const code: unknown = thrown instanceof Error && "code" in thrown ? thrown.code : null;
      return faultOf(typeof code === "string" && CODE.test(code) ? code : "not sent");
    }
  };
}

async function sendToSandbox(url: string, mail: Mail): Promise<MailFault | null> {
  try {
    const headers = { "Content-Type": "application/json" };
    const { ok, status } = await fetchUpstream(url, { method: "POST", headers, body: JSON.stringify(mail) });
    // The inbox stands for the recipient's.
    return ok ? null : faultOf(`E_RECIPIENT_${status}`);
  } catch {
    return faultOf("not sent");
  }
}
