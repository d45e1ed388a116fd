import type { Client } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { prompts } from "../../src/http/mcp/prompts.ts";
import { agentTools } from "../../src/http/mcp/tools.ts";
import { connectAgent, eras } from "../support/agent.ts";
import { keys } from "../support/api.ts";
import { EDGE } from "../support/stack.ts";

const eraNames = Object.keys(eras) as (keyof typeof eras)[];
const agents: Client[] = [];
const connect = async (era: keyof typeof eras, key: string | null = keys.acme) => {
  const agent = await connectAgent(era, key);
  agents.push(agent);
  return agent;
};
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

const told = async (agent: Client, name: string, given: Record<string, string> = {}) => {
  const { messages } = await agent.getPrompt({ name, arguments: given });
  const [message] = messages;
  return message?.content.type === "text" ? message.content.text : "";
};

describe.each(eraNames)("the daily tasks, in the revision %s", (era) => {
  it("are listed for a person to begin, with what they ask for", async () => {
    const listed = (await (await connect(era, null)).listPrompts()).prompts;
    expect(
      listed.map(({ name, title, arguments: asked = [] }) => [name, title, asked.map((one) => [one.name, one.required ?? false])]),
    ).toEqual([
      [
        "sell",
        "Make a payment link",
        [
          ["order", true],
          ["reference", false],
        ],
      ],
      ["look-into-order", "Look into an order", [["order", true]]],
      ["reconcile-month", "Reconcile a month", [["month", true]]],
      ["repair-webhook", "Repair a webhook", [["environment", false]]],
    ]);
  });

  it("tell the agent what was asked, and refuse what they do not take", async () => {
    const agent = await connect(era);
    expect(await told(agent, "sell", { order: "two mugs", reference: "A&B 1" })).toContain("?client_reference_id=A%26B%201 behind it");
    expect(await told(agent, "sell", { order: "two mugs" })).not.toMatch(/undefined|order number is/);
    expect(await told(agent, "repair-webhook", { environment: "test" })).toContain("in test.");
    expect(await told(agent, "repair-webhook")).toContain("in live.");
    for (const [name, given] of [
      ["sell", {}],
      ["sell", { order: "x".repeat(501) }],
      ["repair-webhook", { environment: "prod" }],
      ["reconcile-month", { month: "October" }],
      ["no-such-task", {}],
    ] as const) {
      await expect(agent.getPrompt({ name, arguments: given })).rejects.toThrow();
    }
  });
});

it("each tool that a task names exists", () => {
  const names = new Set(agentTools.map(({ operation }) => operation.name));
  const given = { order: "o", reference: "r", month: "2026-10" };
  const named = prompts.flatMap((one) => [...one.text(given).matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name));
  expect(named.length).toBeGreaterThan(prompts.length);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});

describe.each(eraNames)("the documentation, in the revision %s", (era) => {
  it("is listed page by page, and read without a key as this host serves it", async () => {
    const agent = await connect(era, null);
    const { resources } = await agent.listResources();
    expect(resources).toContainEqual({
      uri: "docs://webhooks",
      name: "webhooks",
      title: expect.any(String),
      description: expect.stringMatching(/\w{4}/),
      mimeType: "text/markdown",
    });
    for (const { uri } of resources) {
      const { contents } = await agent.readResource({ uri });
      expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: expect.stringMatching(/^# /m) }]);
    }
    const [page] = (await agent.readResource({ uri: "docs://agents" })).contents;
    expect(page !== undefined && "text" in page ? page.text : "").toContain(`${EDGE}/mcp`);
  });

  it.each(["docs://none", "docs://", "docs://..%2Fopenapi.json", "docs://a/b", "file:///etc/passwd", `docs://${"a".repeat(61)}`])(
    "has no page %s",
    async (uri) => {
      await expect((await connect(era)).readResource({ uri })).rejects.toThrow();
    },
  );
});
