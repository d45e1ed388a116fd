import { describe, expect, it } from "vitest";
import { sectionsOf } from "../../tools/site/sections.ts";
import { connectAgent } from "../support/agent.ts";
import { EDGE } from "../support/stack.ts";

const TOOL = "search-partner-documentation";

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent: { success: boolean; error_code?: string; error_message?: string; found: Found[] };
}
interface Found {
  readonly page: string;
  readonly url: string;
  readonly heading: string;
  readonly text: string;
}

async function search(given: Record<string, unknown>, key?: string | null): Promise<Answer> {
  const agent = await connectAgent("2026-07-28", key);
  const answer = await agent.callTool({ name: TOOL, arguments: given });
  await agent.close();
  return answer as unknown as Answer;
}
const found = async (query: string) => (await search({ query })).structuredContent.found;

describe("the search of the documentation", () => {
  it.each([
    ["verify webhook signature", "docs://webhooks"],
    ["IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD", "docs://errors"],
    ["fiscal receipt kopecks", "docs://bank-payments"],
    ["subscription renewal event", "docs://events"],
    ["chargeback dispute evidence", "docs://refunds-and-disputes"],
    ["idempotancy", "docs://idempotency"],
  ])("finds for %s a section of %s", async (query, page) => {
    const sections = await found(query);
    expect(sections.map((one) => one.page)).toContain(page);
    expect(sections.length).toBeLessThanOrEqual(4);
    for (const { url, heading, text } of sections) {
      expect(url).toMatch(new RegExp(`^${EDGE}/docs/[a-z0-9-]+\\.md$`));
      expect(heading).not.toBe("");
      expect(text.length).toBeLessThanOrEqual(3_000);
    }
  });

  it("finds nothing where nothing fits", async () => {
    expect(await found("zzzz")).toEqual([]);
  });

  it.each([
    [{}, "query"],
    [{ query: " " }, "query"],
    [{ query: "x".repeat(201) }, "query"],
    [{ query: "a", page: 2 }, "page"],
  ])("refuses %j", async (given, field) => {
    const { isError, structuredContent } = await search(given);
    expect([isError, structuredContent.error_code]).toEqual([true, "INVALID_INPUT"]);
    expect(structuredContent.error_message).toContain(field);
  });

  it("is a call of a partner, which is counted like others", async () => {
    await expect(search({ query: "webhook" }, null)).rejects.toThrow("INVALID_API_KEY");
  });
});

describe("the sections of a page", () => {
  it("are what stands below each heading, named with those above it, and a sample has none", () => {
    const page = "# A\n\nfirst\n\n## B\n\n```sh\n# no heading\n```\n\n### C\n\nthird\n\n## D\n\n### E\n\nlast\n#### F\n";
    expect(sectionsOf("p", page)).toEqual([
      { page: "p", heading: "A", text: "first" },
      { page: "p", heading: "A > B", text: "```sh\n# no heading\n```" },
      { page: "p", heading: "A > B > C", text: "third" },
      { page: "p", heading: "A > D > E", text: "last\n#### F" },
    ]);
  });
});
