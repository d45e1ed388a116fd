import * as z from "zod";
import { KEY_HEADER } from "../../../src/http/key-messages.ts";
import { ask, originOf, RemoteFault, requirePrintable } from "../../../tools/cli/remote/edge.ts";
import { DEFAULT_PROFILE, readProfile } from "./profiles.ts";

/** An edge, for a command that acts as a partner. */
export interface PartnerEdge {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const edgeWith = (url: string, key: string): PartnerEdge => ({ url, headers: { [KEY_HEADER]: key } });

/** A service on this machine that is asked where no other one is named, and the key for it. */
export interface LocalEdge {
  readonly url: string;
  readonly key: string;
}

/** What the arguments say of the edge. */
interface Asked {
  readonly url: unknown;
  readonly profile: unknown;
  readonly local: LocalEdge | null;
}

/**
 * The edge of `--url` and `PARTNER_API_KEY`, or of a profile, or the one on this machine. The key of a profile goes to its own address
 * only. @throws RemoteFault if one of them is missing or invalid
 */
export function partnerEdgeOf({ url, profile, local }: Asked): PartnerEdge {
  const { PARTNER_API_BASE, PARTNER_API_KEY } = process.env;
  const name = typeof profile === "string" ? profile : DEFAULT_PROFILE;
  const kept = readProfile(name);
  if (typeof profile === "string" && kept === undefined)
    throw new RemoteFault(`There is no profile ${name}. Make it by: ppay login --profile ${name}`);
  // A profile that is named is meant, whatever stands in the environment.
  const isNamed = typeof profile === "string";
  const base = url ?? (isNamed ? kept?.url : (PARTNER_API_BASE ?? kept?.url ?? local?.url));
  if (base === undefined) {
    throw new RemoteFault("No service is known. Sign in by `ppay login`, or set PARTNER_API_BASE and PARTNER_API_KEY.");
  }
  const origin = originOf(base, undefined, "your key");
  const own = kept !== undefined && new URL(kept.url).origin === origin ? kept.key : undefined;
  const key = (isNamed ? own : (PARTNER_API_KEY ?? own)) ?? (origin.startsWith("http:") ? local?.key : undefined) ?? "";
  if (key === "") throw new RemoteFault(`No key is known for ${origin}. Sign in by \`ppay login\`, or set PARTNER_API_KEY.`);
  requirePrintable(key, "PARTNER_API_KEY");
  return edgeWith(origin, key);
}

const failureSchema = z.object({ error_message: z.string() });

/** A partner's call. @throws RemoteFault for a refusal, with its message */
export async function callPartner<Answer>(
  edge: PartnerEdge,
  method: "GET" | "POST",
  path: string,
  schema: z.ZodType<Answer>,
  body?: object,
): Promise<Answer> {
  const headers = { ...edge.headers, "Content-Type": "application/json" };
  const response = await ask(`${edge.url}/partner/${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const answer: unknown = await response.json().catch(() => null);
  const { status, ok } = response;
  const expected = schema.safeParse(answer);
  if (ok && expected.success) return expected.data;
  const said = failureSchema.safeParse(answer);
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0) * 1_000;
  throw new RemoteFault(said.success ? said.data.error_message : `${method} /partner/${path} answered ${status}, and not as expected.`, {
    status,
    retryAfter,
  });
}
