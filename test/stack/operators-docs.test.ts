import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../tools/local/processes.ts";
import { pageNamed } from "../../tools/site/pages.ts";
import { sharedStack } from "./shared-stack.ts";

/** The documentation for operators, which opens where a cure names it, after the sign-in. */

const stack = sharedStack();
const get = (path: string, headers: Record<string, string> = { Authorization: "Bearer ops-local" }) =>
  fetch(`${stack.edge}${path}`, { redirect: "manual", headers });

const names = readdirSync(join(root, "docs"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => file.slice(0, -3));

/** The pages that texts of the Worker name. */
const named = new Set(
  readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [...readFileSync(join(root, "src", file), "utf8").matchAll(/\bdocs\/([a-z-]+)\.md/g)].map(([, name = ""]) => name)),
);

it("is every page of docs/: those for partners are where partners have them", async () => {
  for (const name of names) {
    const answer = await get(`/ops/docs/${name}`);
    if (pageNamed(name) !== undefined) {
      expect([name, answer.status, answer.headers.get("Location")]).toEqual([name, 302, `${stack.edge}/docs/${name}`]);
      continue;
    }
    const html = await answer.text();
    expect([name, answer.status, /<h1[^>]*>/.test(html)]).toEqual([name, 200, true]);
    expect([name, /<script|src="(?!data:)|href="(?!\/ops\/|#|https?:)/.exec(html)?.[0]]).toEqual([name, undefined]);
  }
});

it("has every page that a text of the Worker names", () => {
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !names.includes(name))).toEqual([]);
});

it("takes a sign-in, is in no cache and runs no script", async () => {
  expect((await get("/ops/docs/bad-days", {})).status).toBe(401);
  for (const path of ["/operators/bad-days", "/operators/bad-days.html", "/docs/bad-days", "/docs/operators/bad-days"])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  const { headers } = await get("/ops/docs/bad-days");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("Content-Security-Policy")).not.toContain("script-src");
  expect((await get("/ops/docs/none")).status).toBe(404);
  expect((await fetch(`${stack.edge}/ops/docs/bad-days`, { method: "POST" })).status).toBe(405);
});
