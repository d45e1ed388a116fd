import { expect, it } from "vitest";
import { cellCodeOf, newIdCode } from "../../src/core/cell-code.ts";
import {
  CONTENT_KEY_PATTERN,
  clientKeyOf,
  clientKeyText,
  fingerprintOf,
  isContentKey,
  type KeyScope,
  keyTextOf,
  recordIdOf,
  requestKeyOf,
  upstreamKeyOf,
} from "../../src/idempotency/key.ts";

const CODE = newIdCode(cellCodeOf(1));
const scope: KeyScope = { partnerId: "acme", generation: "v2", operation: "create", key: "token:1" };

it.each<[string, Partial<KeyScope>]>([
  ["partner", { partnerId: "globex" }],
  ["generation", { generation: "v1" }],
  ["operation", { operation: "rotate" }],
  ["key", { key: "token:2" }],
  // interface T.7
])("another %s is another record", async (_what, other) => {
  expect(await recordIdOf(CODE, { ...scope, ...other })).not.toBe(await recordIdOf(CODE, scope));
  expect(await recordIdOf(CODE, { ...scope })).toBe(await recordIdOf(CODE, scope));
});

it("begins with the code of its cell", async () => {
  expect(await recordIdOf(CODE, scope)).toMatch(/^01[0-9a-f]{30}$/);
});

it("keeps the parts of a scope apart", async () => {
  expect(await recordIdOf(CODE, { ...scope, partnerId: "a", operation: "bc" })).not.toBe(
    await recordIdOf(CODE, { ...scope, partnerId: "ab", operation: "c" }),
  );
});

it("has one fingerprint for equal contents, whatever the order of their keys", async () => {
  expect(await fingerprintOf({ a: 1, b: [2] })).toBe(await fingerprintOf({ b: [2], a: 1 }));
  expect(await fingerprintOf({ a: 1 })).not.toBe(await fingerprintOf({ a: 2 }));
});

const record = { id: "r", createdAt: 0, attempt: 1 };

it("has its own upstream key for each record, time, attempt, step and variant", async () => {
  const keys = await Promise.all([
    upstreamKeyOf(record, "step", ""),
    upstreamKeyOf({ ...record, id: "s" }, "step", ""),
    upstreamKeyOf({ ...record, attempt: 2 }, "step", ""),
    upstreamKeyOf({ ...record, createdAt: 1 }, "step", ""),
    upstreamKeyOf(record, "other", ""),
    upstreamKeyOf(record, "step", "card"),
  ]);
  expect(new Set(keys).size).toBe(6);
  for (const key of keys) expect(key).toMatch(/^step_[0-9a-f]{64}$/);
  expect(await upstreamKeyOf(record, "step", "")).toBe(keys[0]);
});

it.each([
  ["v1", "a:b", "key:a:b", "key"],
  ["v2", "content:x", "token:content:x", "token"],
] as const)("the key of a client of %s, %s, is stored as %s and read back", (generation, text, stored, kind) => {
  expect(keyTextOf(generation, requestKeyOf(text), "f")).toBe(stored);
  expect(clientKeyText(generation, text)).toBe(stored);
  expect(isContentKey(stored)).toBe(false);
  expect(clientKeyOf(stored)).toEqual({ kind, text });
});

it("a request without a key is stored under its fingerprint, and no client sent it", () => {
  const stored = keyTextOf("v2", requestKeyOf(undefined), "f00d");
  expect(isContentKey(stored)).toBe(true);
  expect(stored.endsWith("f00d")).toBe(true);
  expect(clientKeyOf(stored)).toBeNull();
});

it("a request without a client's key is known by its content", () => {
  expect([requestKeyOf(undefined), requestKeyOf("a")]).toEqual([{ kind: "content" }, { kind: "client", text: "a" }]);
  expect(CONTENT_KEY_PATTERN).toBe("content:%");
});
