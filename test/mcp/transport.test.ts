import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { agentTools } from "../../src/http/mcp/tools.ts";
import { connectAgent } from "../support/agent.ts";
import { CART, cart, keys, LIST, send } from "../support/api.ts";

const message = (method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

const modern = (method: string, name?: string) => ({
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": method,
  ...(name === undefined ? {} : { "Mcp-Name": name }),
});

const post = (body: unknown, headers: Record<string, string>) =>
  send("/mcp", { method: "POST", headers, body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body) });

describe("/mcp", () => {
  it("is found by anybody, without a key, and says what it is for", async () => {
    const { status, body, headers } = await post(message("server/discover"), modern("server/discover"));
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      instructions: expect.stringContaining("client_token"),
      capabilities: { tools: {} },
      supportedVersions: ["2026-07-28"],
    });
    expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{8,}$/);
    expect(headers.get("Content-Type")).toContain("application/json");
  });

  it.each([
    ["none, as programs send", undefined, 200],
    ["its own", "http://localhost:8787", 200],
    ["another page's", "https://evil.example", 403],
    ["one that only begins like its own", "http://localhost.evil.example", 403],
    ["null, as a sandboxed page sends", "null", 403],
  ])("answers an Origin that is %s", async (_what, origin, wanted) => {
    const headers = { ...modern("tools/list"), ...(origin === undefined ? {} : { Origin: origin }) };
    const { status, headers: answered } = await post(message("tools/list"), headers);
    expect(status).toBe(wanted);
    expect(answered.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it.each(["GET", "DELETE", "PUT"])("takes no %s: there are no sessions", async (method) => {
    const { status, headers } = await send("/mcp", { method });
    expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
  });

  it.each([
    ["both types", "application/json, text/event-stream"],
    ["JSON alone", "application/json"],
    ["any type", "*/*"],
    ["nothing", ""],
    ["another type", "text/html"],
  ])("answers in JSON a host that accepts %s", async (_what, accept) => {
    const { Accept: _, ...others } = modern("tools/list");
    const { status, headers, body } = await post(message("tools/list"), { ...others, ...(accept === "" ? {} : { Accept: accept }) });
    expect([status, headers.get("Content-Type")]).toEqual([200, expect.stringContaining("application/json")]);
    expect(body.result.tools).toHaveLength(agentTools.length);
  });

  it.each([
    ["no JSON", "{nope", 400],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 400],
    ["a batch", [message("tools/list")], 400],
    ["a batch behind blanks", ` \n[${JSON.stringify(message("tools/list"))}]`, 400],
    ["a message over its limit", JSON.stringify(message("tools/list", { long: "x".repeat(128 * 1024) })), 413],
    ["another content type", message("tools/list"), 415, { "Content-Type": "text/plain" }],
    ["a revision that there is not", message("tools/list"), 400, { "MCP-Protocol-Version": "2031-01-01" }],
  ])("refuses %s", async (_what, body, wanted, headers: Record<string, string> = {}) => {
    const answer = await post(body, { ...modern("tools/list"), ...headers });
    expect(answer.status).toBe(wanted);
    expect(answer.body).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number), message: expect.any(String) } });
  });

  it("takes no key from the arguments, only from the header", async () => {
    const body = message("tools/call", { name: LIST, arguments: { api_key: keys.acme } });
    const without = await post(body, modern("tools/call", LIST));
    expect(without.body.result.structuredContent).toMatchObject({ success: false, error_code: "INVALID_API_KEY" });
    const withKey = await post(message("tools/call", { name: LIST, arguments: { api_key: "nonsense" } }), {
      ...modern("tools/call", LIST),
      "X-Partner-Api-Key": keys.acme,
    });
    expect(withKey.body.result.structuredContent).toMatchObject({ success: true });
  });

  it.each([[], "x", 5, true])("has the operation refuse arguments that are %j", async (given) => {
    const headers = { ...modern("tools/call", LIST), "X-Partner-Api-Key": keys.acme };
    const { body } = await post(message("tools/call", { name: LIST, arguments: given }), headers);
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: { success: false, error_code: "INVALID_INPUT", error_message: "the body must be a JSON object" },
    });
  });

  it.each([{}, { arguments: null }])("takes a call with %j as one without arguments", async (sent) => {
    const headers = { ...modern("tools/call", LIST), "X-Partner-Api-Key": keys.acme };
    const { body } = await post(message("tools/call", { name: LIST, ...sent }), headers);
    expect(body.result.structuredContent).toMatchObject({ success: true });
  });

  it("takes params that are null as none", async () => {
    const headers = { "Content-Type": "application/json", Accept: "application/json", "MCP-Protocol-Version": "2025-06-18" };
    const { body } = await post({ jsonrpc: "2.0", id: 1, method: "tools/list", params: null }, headers);
    expect(body.result.tools.length).toBeGreaterThan(8);
  });

  it("is there with a slash behind it, too", async () => {
    const { status, body } = await send("/mcp/", {
      method: "POST",
      headers: modern("tools/list"),
      body: JSON.stringify(message("tools/list")),
    });
    expect([status, body.result.tools.length > 8]).toEqual([200, true]);
    const foreign = { ...modern("tools/list"), Origin: "https://evil.example" };
    expect((await send("/mcp/", { method: "POST", headers: foreign, body: JSON.stringify(message("tools/list")) })).status).toBe(403);
    expect((await send("/mcp/", { method: "GET" })).status).toBe(405);
    expect((await send("/mcp/more", { method: "POST" })).status).toBe(404);
    expect((await send("/.well-known/oauth-protected-resource/mcp/")).body).toMatchObject({ resource: "http://localhost:8787/mcp" });
  });

  it("refuses to be listened to, since nothing changes", async () => {
    const { body } = await post(
      message("subscriptions/listen", { notifications: { toolsListChanged: true } }),
      modern("subscriptions/listen"),
    );
    expect(body).toMatchObject({ error: { code: -32603 } });
  });

  it("answers no method that it does not offer", async () => {
    for (const method of ["completion/complete", "resources/subscribe", "no/such"]) {
      const { body } = await post(message(method), modern(method));
      expect([method, body.error?.code]).toEqual([method, -32601]);
    }
  });

  it("says a failure of ours with the request's id, and logs it under that and the tool's name", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const prepare = vi.spyOn(Object.getPrototypeOf(env.CELL_1), "prepare").mockImplementation(() => {
      throw new Error("D1 is out of order");
    });
    const headers = { ...modern("tools/call", LIST), "X-Partner-Api-Key": keys.acme };
    const answer = await post(message("tools/call", { name: LIST, arguments: {} }), headers);
    prepare.mockRestore();
    const id = answer.headers.get("X-Request-Id") ?? "none";
    const { isError, structuredContent } = answer.body.result;
    expect([isError, structuredContent]).toEqual([
      true,
      { success: false, error_code: "INTERNAL_ERROR", error_message: expect.stringContaining(id) },
    ]);
    const lines = logged.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(id));
    logged.mockRestore();
    expect(lines).toEqual([expect.stringContaining(`"tool":"${LIST}"`)]);
    expect(lines.join()).not.toContain(keys.acme);
  });

  it("keeps what goes on beside each other apart: 20 agents with one token make one link", async () => {
    const body = cart();
    const results = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const client = await connectAgent("2026-07-28");
        const { structuredContent } = await client.callTool({ name: CART, arguments: body });
        await client.close();
        return structuredContent as { success: boolean; error_code?: string; payment_link_id?: string; duplicate?: boolean };
      }),
    );
    const made = results.filter(({ success }) => success);
    expect(new Set(made.map(({ payment_link_id }) => payment_link_id)).size).toBe(1);
    expect(made.filter(({ duplicate }) => duplicate === false)).toHaveLength(1);
    expect(results.filter(({ success, error_code }) => !success && error_code !== "OPERATION_IN_PROGRESS")).toEqual([]);
  });
});
