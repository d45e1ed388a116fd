import * as z from "zod";
import { KEY_HEADER } from "../../../src/http/key-header.ts";
import { ask, originOf, RemoteFault, requirePrintable } from "./edge.ts";

/** An edge, for a command that acts as a partner. */
export interface PartnerEdge {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The key of the local stack's acme. */
const LOCAL_KEY = "a0000000-0000-4000-8000-000000000001";

/**
 * The edge of `--url` and `PARTNER_API_KEY`, or the local stack.
 * @throws RemoteFault if one of them is invalid, or the key of another service is missing
 */
export function partnerEdgeOf(url: unknown): PartnerEdge {
  const { PARTNER_API_BASE, PARTNER_API_KEY } = process.env;
  const origin = originOf(url, PARTNER_API_BASE, "your key");
  const isLocal = origin.startsWith("http:");
  const key = PARTNER_API_KEY ?? (isLocal ? LOCAL_KEY : "");
  if (key === "") throw new RemoteFault("Set PARTNER_API_KEY to your key.");
  requirePrintable(key, "PARTNER_API_KEY");
  return { url: origin, headers: { [KEY_HEADER]: key } };
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
