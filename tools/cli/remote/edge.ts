import * as z from "zod";

/** An edge, for a command that acts as an operator. */
export interface Edge {
  /** Its origin. */
  readonly url: string;
  readonly token: string;
  /** The required version of the Worker, if several share the requests. Null: any. */
  readonly version?: { readonly worker: string; readonly id: string } | null;
}

/** The header with which the platform selects a version of a Worker. */
export function pinned({ version }: Edge): Record<string, string> {
  return version == null ? {} : { "Cloudflare-Workers-Version-Overrides": `${version.worker}="${version.id}"` };
}

/** A failed command: the request and its result, without a stack trace. */
export class RemoteFault extends Error {
  override readonly name = "RemoteFault";
  /** The HTTP status of a refusal; null without an answer. */
  readonly status: number | null;
  /** How long to wait before the next request, in milliseconds. */
  readonly retryAfter: number;

  constructor(message: string, { status = null, retryAfter = 0 }: { readonly status?: number | null; readonly retryAfter?: number } = {}) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * The edge of `--url` and `OPS_TOKEN`, or the local stack.
 * @throws RemoteFault if one of them is invalid
 */
export function edgeOf(url: unknown): Edge {
  const { OPS_BASE, OPS_TOKEN = "ops-local" } = process.env;
  const origin = originOf(url, OPS_BASE, "the operators' token");
  requirePrintable(OPS_TOKEN, "OPS_TOKEN");
  return { url: origin, token: OPS_TOKEN };
}

/**
 * The origin of `--url`, of a setting, or of the local stack. `secret` is the secret that is sent there.
 * @throws RemoteFault if it is no address, or the secret could be read on the way
 */
export function originOf(url: unknown, setting: string | undefined, secret: string): string {
  const base = typeof url === "string" ? url : (setting ?? `http://localhost:${process.env.PORT ?? "8787"}`);
  if (!URL.canParse(base)) throw new RemoteFault(`${base} is no address. Give one such as https://api.example.com.`);
  const { protocol, hostname, origin } = new URL(base);
  if (protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
    throw new RemoteFault(`${base} is without https: ${secret} would be known to others. Give an https address.`);
  }
  return origin;
}

/** @throws RemoteFault if a secret has a character that no header may have */
export function requirePrintable(secret: string, name: string): void {
  if (/[^\x21-\x7e]/.test(secret))
    throw new RemoteFault(`${name} has a character that it cannot have, for example a line break at its end.`);
}

/** The headers of an operator's program. A service token passes Cloudflare Access. */
export function operatorHeaders(edge: Edge): Record<string, string> {
  const { OPERATOR = "", CF_ACCESS_CLIENT_ID: id, CF_ACCESS_CLIENT_SECRET: secret } = process.env;
  return {
    ...pinned(edge),
    Authorization: `Bearer ${edge.token}`,
    "X-Operator": encodeURIComponent(OPERATOR),
    ...(id === undefined || secret === undefined ? {} : { "CF-Access-Client-Id": id, "CF-Access-Client-Secret": secret }),
  };
}

/** The time limit of an answer in milliseconds: an operation takes at most 25 seconds. */
const TIMEOUT = 40_000;

/** Sends a request. The time limit ends with the head of the answer: a file may take longer. @throws RemoteFault without an answer */
export async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error(`no answer within ${TIMEOUT / 1_000} seconds`)), TIMEOUT);
  try {
    return await fetch(url, { redirect: "manual", signal: limit.signal, ...init });
  } catch (thrown) {
    throw new RemoteFault(`${url} cannot be reached: ${reasonOf(thrown)}.`);
  } finally {
    clearTimeout(timer);
  }
}

/** Why a request got no answer. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "no answer";
  const { cause } = thrown;
  return cause instanceof Error && cause.message !== "" ? cause.message : thrown.message;
}

const errorSchema = z.object({ error: z.string() });

/** An operators' call. `allowed`: a status that is not a failure here. @throws RemoteFault for any other failure */
export async function callOperators<Answer>(
  edge: Edge,
  method: "GET" | "POST",
  path: string,
  schema: z.ZodType<Answer>,
  { body, allowed }: { readonly body?: object; readonly allowed?: number } = {},
): Promise<Answer | null> {
  const headers = { ...operatorHeaders(edge), "Content-Type": "application/json" };
  const response = await ask(`${edge.url}/ops/${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const answer: unknown = await response.json().catch(() => null);
  if (response.status === allowed) return null;
  if (!response.ok) {
    const said = errorSchema.safeParse(answer);
    throw new RemoteFault(`${method} /ops/${path} answered ${response.status}${said.success ? `: ${said.data.error}` : "."}`);
  }
  return schema.parse(answer);
}
