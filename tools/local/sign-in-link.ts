import * as z from "zod";
import { acmeOwner } from "../../sandbox/fixtures.ts";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { LOCAL_SIGN_IN } from "../../src/http/partner/local-sign-in.ts";

const invitationSchema = z.object({ url: z.string() });

/** A link that signs in to a local edge as acme's owner, once; null without the fixtures. */
export async function signInLink(edge: string): Promise<string | null> {
  const answer = await fetch(`${edge}/ops/employees/${acmeOwner}/invitation`, {
    method: "POST",
    headers: { Authorization: `Bearer ${localSecrets.OPS_TOKEN}`, "X-Operator": "npm run dev" },
  });
  if (!answer.ok) return null;
  const { hash } = new URL(invitationSchema.parse(await answer.json()).url);
  return `${edge}${LOCAL_SIGN_IN}${hash.slice(1)}`;
}
