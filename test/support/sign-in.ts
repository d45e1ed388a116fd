import type { Answer } from "./answer.ts";
import { keys, send } from "./api.ts";
import { EDGE } from "./stack.ts";

/** Where the host of the tests is sent back to. */
export const CALLBACK = "http://127.0.0.1:33418/callback";
export const RESOURCE = `${EDGE}/mcp`;

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** A browser that keeps the cookies it gets, as a person signs in with. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  async get(address: string): Promise<Answer> {
    return this.#ask(address, {});
  }

  async post(address: string, fields: readonly (readonly [string, string])[]): Promise<Answer> {
    return this.#ask(address, {
      method: "POST",
      headers: FORM,
      body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
    });
  }

  async #ask(address: string, init: RequestInit): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await send(address.replace(EDGE, ""), { ...init, headers: { ...(init.headers as object), Cookie: cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split("=");
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

/** The value of a hidden field, or of the state in the address of a page's form. */
export function held(page: Answer): { readonly handle: string; readonly state: string } {
  return {
    handle: /name="handle" value="([^"]+)"/.exec(page.text)?.[1] ?? "",
    state: /action="\/oauth\/grant\?state=([^"]+)"/.exec(page.text)?.[1] ?? "",
  };
}

/** Registers a host, as those do that have no description of themselves on the web. */
export async function register(overrides: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  return send("/oauth/register", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Test host", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none", ...overrides }),
  });
}

const VERIFIER = "a-verifier-that-has-forty-three-characters-or-more";

async function challengeOf(verifier: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  return btoa(String.fromCharCode(...digest))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** The address that a host sends a person to. */
export async function authorizeAddress(clientId: string, overrides: Readonly<Record<string, string>> = {}): Promise<string> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: await challengeOf(VERIFIER),
    code_challenge_method: "S256",
    state: "the-state",
    resource: RESOURCE,
    ...overrides,
  });
  return `/oauth/authorize?${query.toString()}`;
}

export interface Choice {
  readonly clientId: string;
  readonly key?: string;
  readonly permissions?: readonly string[];
  readonly environment?: string;
  readonly authorize?: Readonly<Record<string, string>>;
}

/** A person pastes a key and allows what is chosen. Where the browser is led to then. */
export async function allow(choice: Choice, browser = new Browser()): Promise<URL> {
  const { clientId, key = keys.acme, permissions = ["balance_view", "products_view", "product_create"], environment = "test" } = choice;
  const asking = await browser.get(await authorizeAddress(clientId, choice.authorize));
  const choosing = await browser.post("/oauth/authorize", [
    ["handle", held(asking).handle],
    ["key", key],
    ["decision", "go_on"],
  ]);
  const allowed = await browser.post(`/oauth/grant?state=${held(choosing).state}`, [
    ...permissions.map((permission) => ["permission", permission] as const),
    ["environment", environment],
    ["decision", "allow"],
  ]);
  return backOf(allowed);
}

/** Where a page leads the browser back to. */
export function backOf(page: Answer): URL {
  const target = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.text)?.[1] ?? "about:blank";
  return new URL(target.replaceAll("&amp;", "&"));
}

/** A request to the token endpoint. */
export async function tokens(fields: Readonly<Record<string, string>>): Promise<Answer> {
  return send("/oauth/token", { method: "POST", headers: FORM, body: new URLSearchParams(fields).toString() });
}

/** Exchanges a code as the host that asked for it. */
export async function exchange(clientId: string, code: string, overrides: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return tokens({
    grant_type: "authorization_code",
    code,
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    resource: RESOURCE,
    ...overrides,
  });
}

export interface SignedIn {
  readonly clientId: string;
  readonly access: string;
  readonly refresh: string;
}

/** A host that has signed in. */
export async function signIn(choice: Partial<Choice> = {}): Promise<SignedIn> {
  const clientId = choice.clientId ?? (await register()).body.client_id;
  const back = await allow({ ...choice, clientId });
  const { body } = await exchange(clientId, back.searchParams.get("code") ?? "");
  return { clientId, access: body.access_token, refresh: body.refresh_token };
}

/** Calls a tool with a token, as a raw message. */
export async function callTool(
  name: string,
  given: unknown,
  headers: Readonly<Record<string, string>>,
  { _meta = {}, ...more }: { readonly _meta?: object; readonly inputResponses?: object } = {},
): Promise<Answer> {
  return send("/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": name,
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: given,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
          ..._meta,
        },
        ...more,
      },
    }),
  });
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
