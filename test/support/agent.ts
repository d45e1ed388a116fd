import { exports } from "cloudflare:workers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { keys } from "./api.ts";
import { EDGE } from "./stack.ts";

/** The two eras of the protocol that agents speak, as the official client gets them. */
export const eras = {
  "2025-11-25": "legacy",
  "2026-07-28": { pin: "2026-07-28" },
} as const;

/** The official client, connected to the Worker under test with a key in the header unless it is null. */
export async function connectAgent(era: keyof typeof eras, key: string | null = keys.acme): Promise<Client> {
  const client = new Client({ name: "test-agent", version: "1" }, { versionNegotiation: { mode: eras[era] } });
  const transport = new StreamableHTTPClientTransport(new URL(`${EDGE}/mcp`), {
    fetch: (url, init) => exports.default.fetch(new Request(url, init)),
    requestInit: { headers: key === null ? {} : { "X-Partner-Api-Key": key } },
  });
  await client.connect(transport);
  return client;
}
