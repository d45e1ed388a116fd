import { freePorts } from "../../local/ports.ts";
import { endGroup, spawnTool } from "../../local/processes.ts";

/** The suite's requirements for an authorization server. `check:mcp` runs all of them. */
const SCENARIOS = ["authorization-server-metadata-endpoint", "authorization-code-grant"];

/** The permissions that are ticked. The local fixture key has them. */
const TICKED = ["balance_view", "products_view", "product_create"];

/**
 * Runs the suite's scenarios for an authorization server. The suite waits for a person who opens a URL and signs in;
 * this code does so with the forms of our pages. Returns the suite's last lines if a check failed, otherwise null.
 */
export async function checkAuthorization(edge: string, apiKey: string, revision: string): Promise<string | null> {
  const [port = 0] = await freePorts(1);
  const clientId = await register(edge, `http://127.0.0.1:${port}/callback`);
  const args = ["authorization", "--url", edge, "--client-id", clientId, "--resource", `${edge}/mcp`, "--spec-version", revision];
  const suite = spawnTool("conformance", [...args, "--port", String(port)], "pipe");
  let output = "";
  let signedIn: Promise<void> | undefined;
  const code = await new Promise<number | null>((resolve, reject) => {
    const read = (part: string) => {
      output += part;
      const address = /^http\S+response_type=code\S+$/m.exec(output)?.[0];
      if (address !== undefined) signedIn ??= allowAt(edge, address, apiKey).catch(reject);
    };
    suite.stdout?.setEncoding("utf8").on("data", read);
    suite.stderr?.setEncoding("utf8").on("data", read);
    suite.once("error", reject);
    suite.once("close", resolve);
  });
  await endGroup(suite);
  await signedIn;
  const passed = SCENARIOS.every((scenario) => output.includes(`Running scenario: ${scenario}`)) && !output.includes("FAILURE");
  return code === 0 && passed ? null : output.split("\n").slice(-20).join("\n");
}

async function register(edge: string, callback: string): Promise<string> {
  const response = await fetch(`${edge}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "conformance suite", redirect_uris: [callback], token_endpoint_auth_method: "none" }),
  });
  const body: unknown = await response.json();
  const id = typeof body === "object" && body !== null && "client_id" in body ? body.client_id : undefined;
  if (typeof id !== "string") throw new Error(`the registration failed with HTTP ${response.status}`);
  return id;
}

/** Allows what an application asks for, and leads back to it. */
export async function allowAt(edge: string, address: string, apiKey: string): Promise<void> {
  await fetch(await allowedAddress(edge, address, apiKey));
}

/** Allows what an application asks for, like a browser without scripts: two forms, and their cookies. The address that leads back. */
export async function allowedAddress(edge: string, address: string, apiKey: string): Promise<string> {
  const asking = await fetch(address);
  const handle = /name="handle" value="([^"]+)"/.exec(await asking.text())?.[1] ?? "";
  const choosing = await post(`${edge}/oauth/authorize`, cookiesOf(asking), [
    ["handle", handle],
    ["key", apiKey],
    ["decision", "go_on"],
  ]);
  const state = /\/oauth\/grant\?state=([^"]+)/.exec(await choosing.text())?.[1] ?? "";
  const ticked = TICKED.map((permission): [string, string] => ["permission", permission]);
  const allowed = await post(`${edge}/oauth/grant?state=${state}`, cookiesOf(choosing), [
    ...ticked,
    ["environment", "test"],
    ["decision", "allow"],
  ]);
  // The last page leads back to the application by a link, and automatically after a moment.
  const callback = /<a href="([^"]+)"/.exec(await allowed.text())?.[1]?.replaceAll("&amp;", "&");
  if (callback === undefined) throw new Error(`signing in ended with HTTP ${allowed.status}`);
  return callback;
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

function post(address: string, cookie: string, fields: [string, string][]): Promise<Response> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", Cookie: cookie };
  return fetch(address, { method: "POST", redirect: "manual", headers, body: new URLSearchParams(fields) });
}
