import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { captureTool, missingTool, tool, UserFault } from "../../local/processes.ts";
import { allowAt } from "./authorization.ts";

/** A tool that reads, and the one that creates, each with arguments that fit the local fixtures. */
const READING = { name: "list-partner-products", arguments: { environment: "test" } };
const CREATING = {
  name: "create-partner-processor-cart-payment-link",
  arguments: { items: [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 }], dry_run: true },
};

/** What a host must find: all tools, an answer, and what a creation would make. Null, or what is wrong. */
async function faultOf(client: Client): Promise<string | null> {
  const { tools } = await client.listTools();
  if (!tools.some(({ name }) => name === CREATING.name)) return `it lists ${tools.length} tools without ${CREATING.name}`;
  const read = await client.callTool(READING);
  if (read.isError === true) return `${READING.name} answered ${JSON.stringify(read.structuredContent)}`;
  const { structuredContent } = await client.callTool(CREATING);
  const said = JSON.stringify(structuredContent);
  return said.includes('"text":"19.00 USD"') ? null : `a dry run of ${CREATING.name} answered ${said}`;
}

/** The protocol's own client library, by a key. `revision`: the one that it speaks. */
export async function checkLibrary(edge: string, key: string, revision: string): Promise<string | null> {
  const mode = revision < "2026" ? "legacy" : { pin: revision };
  const client = new Client({ name: "check", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${edge}/mcp`), { requestInit: { headers: { "X-Partner-Api-Key": key } } }),
  );
  try {
    return await faultOf(client);
  } finally {
    await client.close();
  }
}

/** The protocol's inspector, by a key: it lists the tools, holds their schemas to what hosts can take, and calls one. */
export async function checkInspector(edge: string, key: string, revision: string): Promise<string | null> {
  const era = revision < "2026" ? "legacy" : "modern";
  const to = ["--cli", `${edge}/mcp`, "--transport", "http", "--protocol-era", era, "--header", `X-Partner-Api-Key: ${key}`];
  const asked = [
    [...to, "--method", "tools/list", "--strict"],
    [...to, "--method", "tools/call", "--tool-name", READING.name, "--tool-arg", "environment=test"],
    [...to, "--method", "resources/list"],
    [...to, "--method", "prompts/list"],
  ];
  for (const args of asked) {
    const { code, output } = await captureTool("mcp-inspector", args, { quiet: true, atMost: 60_000 });
    if (code !== 0 || output.includes('"isError": true')) return `${args.slice(8).join(" ")}\n${output.slice(-1_000)}`;
  }
  return null;
}

/**
 * `mcp-remote`, by which hosts that only start programs reach a server: by a key in its header, or as a person signs in, in the browser
 * that it would open. What it stores goes to a folder of its own.
 */
export async function checkRemote(edge: string, key: string, how: "by a key" | "by signing in"): Promise<string | null> {
  const missing = missingTool("mcp-remote");
  if (missing !== null) throw new UserFault(missing);
  const folder = await mkdtemp(join(tmpdir(), "mcp-remote-"));
  const args = how === "by a key" ? [`${edge}/mcp`, "--header", `X-Partner-Api-Key:${key}`] : [`${edge}/mcp?sign_in=1`];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [tool("mcp-remote"), ...args, "--transport", "http-only", "--allow-http"],
    // No browser is there to be opened: the address that it prints is opened here.
    env: { PATH: "", HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
    stderr: "pipe",
  });
  let printed = "";
  let signedIn: Promise<unknown> | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    transport.stderr?.on("data", (part: unknown) => {
      printed += String(part);
      const address = /^\S*?(http\S+\/oauth\/authorize\?\S+)\s*$/m.exec(printed)?.[1];
      if (address !== undefined) signedIn ??= allowAt(edge, address, key).catch(reject);
    });
  });
  const client = new Client({ name: "check", version: "1" });
  try {
    const found = await Promise.race([client.connect(transport, { timeout: 60_000 }).then(() => faultOf(client)), failed]);
    if (found !== null) return `${found}\n${printed.slice(-1_000)}`;
    return how === "by signing in" && signedIn === undefined ? "it never asked to sign in" : null;
  } catch (thrown) {
    return `${String(thrown)}\n${printed.slice(-1_000)}`;
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}
