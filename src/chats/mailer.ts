import type { Settings } from "../core/settings.ts";
import { fetchUpstream } from "../core/trace.ts";

/** A message to one address, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a message. Returns why it was not taken, in the platform's code; null if it was. Never throws. */
export type Mailer = (mail: Mail) => Promise<string | null>;

/** The platform's codes: E_RECIPIENT_NOT_ALLOWED. Its other texts may name the address. */
const CODE = /^E_[A-Z_]{1,60}$/;

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
      return typeof code === "string" && CODE.test(code) ? code : "not sent";
    }
  };
}

async function sendToSandbox(url: string, mail: Mail): Promise<string | null> {
  try {
    const headers = { "Content-Type": "application/json" };
    const { ok, status } = await fetchUpstream(url, { method: "POST", headers, body: JSON.stringify(mail) });
    return ok ? null : `E_SANDBOX_${status}`;
  } catch {
    return "not sent";
  }
}
