import { describe, expect, it } from "vitest";
import { MINUTE } from "../../src/core/clock.ts";
import { cleanedAddress, redirectTo, slugAndQueryOf, withQuery } from "../../src/http/short-domain/redirect.ts";
import { SlugMemory } from "../../src/short-links/slug-memory.ts";

describe("the query of a customer", () => {
  it.each([
    ["https://pay.example/abc", "", "https://pay.example/abc"],
    ["https://pay.example/abc", "client_reference_id=order%201&a=1&a=2", "https://pay.example/abc?client_reference_id=order%201&a=1&a=2"],
    ["https://pay.example/abc", "name=Zoë", "https://pay.example/abc?name=Zo%C3%AB"],
    ["https://pay.example/abc?lang=de", "utm=mail", "https://pay.example/abc?lang=de&utm=mail"],
    ["https://pay.example/abc?lang=de", "lang=fr&utm=mail", "https://pay.example/abc?lang=de&utm=mail"],
    ["https://pay.example/abc#top", "utm=mail", "https://pay.example/abc?utm=mail#top"],
    ["https://pay.example/abc", "utm=mail&amp;client_reference_id=o-1", "https://pay.example/abc?utm=mail&client_reference_id=o-1"],
    ["https://pay.example/abc?lang=de", "utm=mail&amp;lang=fr", "https://pay.example/abc?lang=de&utm=mail"],
  ])("is appended to %s: %s", (target, query, wanted) => {
    expect(withQuery(target, query)).toBe(wanted);
    expect(redirectTo(target, query, "id").headers.get("Location")).toBe(wanted);
  });
});

describe("the path of a request", () => {
  it.each([
    ["https://pay.example/01AbCdEfGhIjKl", { host: "pay.example", slug: "01AbCdEfGhIjKl", query: "" }],
    ["http://localhost:8787/01AbCdEfGhIjKl?a=/b?c", { host: "localhost:8787", slug: "01AbCdEfGhIjKl", query: "a=/b?c" }],
    ["https://pay.example/01AbCdEfGhIjKl?", { host: "pay.example", slug: "01AbCdEfGhIjKl", query: "" }],
    ["https://pay.example/", null],
    ["https://pay.example", null],
    ["https://pay.example/?a=/01AbCdEfGhIjKl", null],
    ["https://pay.example/docs/01AbCdEfGhIjKl", null],
    ["https://pay.example/01AbCdEfGhIjKl/", null],
    ["https://pay.example/too-short", null],
    ["https://pay.example/list-partner-processor-transactions", null],
  ])("%s", (url, wanted) => {
    expect(slugAndQueryOf(url)).toEqual(wanted);
  });
});

// interface L.2
describe("a short link with something stuck to it", () => {
  const slug = "01AbCdEfGhIjKl";
  it.each([
    `/${slug}.`,
    `/${slug}%3F`,
    `/${slug}&`,
    `/${slug},`,
    `/${slug})`,
    `/${slug}%C2%BB`,
    `/${slug}!`,
    `/${slug}%E2%80%A6`,
    `/${slug}%E2%80%8B`,
    `/${slug}%C2%A0`,
    `/${slug}/`,
    `//${slug}`,
    `//${slug}/.`,
  ])("%s is found", (path) => {
    expect(cleanedAddress(new URL(`https://pay.example${path}?client_reference_id=o-1`))).toBe(`/${slug}?client_reference_id=o-1`);
    expect(cleanedAddress(new URL(`https://pay.example${path}`))).toBe(`/${slug}`);
  });

  it.each([
    ["%3F", "reference=o-1", "reference=o-1"],
    ["%3f", "reference=o%201&a=b", "reference=o%201&a=b"],
    ["%3F", "reference%3Do-1%26a%3Db", "reference=o-1&a=b"],
    ["&", "reference=o-1", "reference=o-1"],
    ["%26", "reference=o-1", "reference=o-1"],
    ["=3F", "reference=o-1", "reference=o-1"],
    ["=3F", "reference=3Do-1=26a=3db", "reference=o-1&a=b"],
    ["%3F", "reference%3Do-1&a=b", "reference=o-1&a=b"],
    ["&", "reference=o-1?utm=mail", "reference=o-1&utm=mail"],
  ])("keeps a query whose question mark became %s: %s", (sign, behind, query) => {
    expect(cleanedAddress(new URL(`https://pay.example/${slug}${sign}${behind}`))).toBe(`/${slug}?${query}`);
  });

  it.each([
    "/",
    "/docs/",
    "/too-short.",
    `/${slug}/docs`,
    `/docs/${slug}.`,
    `/${slug}x.y`,
    `/${slug}%FF%FE1`,
    `/${slug}${".".repeat(500)}`,
    `/${slug}%3Fno-parameter`,
    `/${slug}&=value`,
    `/${slug}x%3Fa=%2F/docs`.replace("x%3F", "/%3F"),
  ])("%s is none", (path) => {
    expect(cleanedAddress(new URL(`https://pay.example${path}`))).toBeNull();
  });
});

const to = (url: string) => ({ partnerId: "acme", url, closesAt: null });

describe("a link that an isolate remembers", () => {
  it("is known for a minute, from when it was last found", () => {
    const links = new SlugMemory();
    links.remember("one", to("https://pay.example/1"), 0);
    expect(links.get("one", MINUTE - 1)).toEqual(to("https://pay.example/1"));
    expect(links.get("one", MINUTE)).toBeUndefined();
    links.remember("one", to("https://pay.example/2"), MINUTE);
    expect(links.get("one", 2 * MINUTE - 1)).toEqual(to("https://pay.example/2"));
    expect(links.get("other", 0)).toBeUndefined();
  });

  it("gives way to newer ones: there are never more than ten thousand", () => {
    const links = new SlugMemory();
    for (let number = 0; number < 10_000; number += 1) links.remember(`slug-${number}`, to("target"), 0);
    links.remember("slug-0", to("target"), 0);
    links.remember("one more", to("target"), 0);
    expect(links.get("slug-1", 0)).toBeUndefined();
    for (const slug of ["slug-0", "slug-2", "slug-9999", "one more"]) expect(links.get(slug, 0)).toEqual(to("target"));
  });
});
