import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, tool } from "../../tools/local/processes.ts";
import { isFull } from "../stack/scale.ts";

/** What each rule must find, as a file that breaks it: [room, rule, source]. */
const LAYER_BREACHES = [
  ["core", 'import { connectCell } from "../db/client.ts";\nexport const use = connectCell;\n'],
  ["db", 'import { findKey } from "../partners/key-store.ts";\nexport const use = findKey;\n'],
  ["audit", 'import { findKey } from "../partners/key-store.ts";\nexport const use = findKey;\n'],
  ["idempotency", 'import { createCartLink } from "../links/create-cart-link.ts";\nexport const use = createCartLink;\n'],
  ["partners", 'import { loadOwnProducts } from "../catalogue/card-products.ts";\nexport const use = loadOwnProducts;\n'],
  ["short-links", 'import { planCart } from "../links/cart.ts";\nexport const use = planCart;\n'],
  ["operators", 'import { findKey } from "../partners/key-store.ts";\nexport const use = findKey;\n'],
  ["grants", 'import { planCart } from "../links/cart.ts";\nexport const use = planCart;\n'],
  ["moderation", 'import { toTimeline } from "../story/timeline.ts";\nexport const use = toTimeline;\n'],
  ["rate-limits", 'import { findKey } from "../partners/key-store.ts";\nexport const use = findKey;\n'],
  ["moves", 'import { findMovement } from "../ledger/movements/store.ts";\nexport const use = findMovement;\n'],
  ["opens", 'import { findMove } from "../moves/store.ts";\nexport const use = findMove;\n'],
  ["notes", 'import { findKey } from "../partners/key-store.ts";\nexport const use = findKey;\n'],
  ["books", 'import { toTimeline } from "../story/timeline.ts";\nexport const use = toTimeline;\n'],
  ["orders", 'import { findKey } from "../partners/key-store.ts";\nexport const use = findKey;\n'],
  ["figures", 'import { toTimeline } from "../story/timeline.ts";\nexport const use = toTimeline;\n'],
  ["health", 'import { toTimeline } from "../story/timeline.ts";\nexport const use = toTimeline;\n'],
  ["partner-status", 'import { toTimeline } from "../story/timeline.ts";\nexport const use = toTimeline;\n'],
  ["summaries", 'import { toTimeline } from "../story/timeline.ts";\nexport const use = toTimeline;\n'],
  ["requests", 'import { toTimeline } from "../story/timeline.ts";\nexport const use = toTimeline;\n'],
  ["requests", 'import { paymentLinks } from "../db/schema/links.ts";\nexport const use = paymentLinks;\n'],
  ["chats", 'import { attemptDelivery } from "../webhooks/delivery/deliver.ts";\nexport const use = attemptDelivery;\n'],
  ["http/ops", 'import { askDatabase } from "../../db/all-databases.ts";\nexport const use = askDatabase;\n'],
  ["story", 'import { buildDeps } from "../build-deps.ts";\nexport const use = buildDeps;\n'],
  ["webhooks/admin", 'import { buildDeps } from "../../build-deps.ts";\nexport const use = buildDeps;\n'],
  ["views", 'import { movementsOf } from "../ledger/movements-of.ts";\nexport const use = movementsOf;\n'],
  ["http/v2", 'import { connectCell } from "../../db/client.ts";\nexport const use = connectCell;\n'],
  ["links", 'import { localSecrets } from "../../sandbox/local-settings.ts";\nexport const use = localSecrets;\n'],
  ["processor", 'import { listMovements } from "../ledger/movements/store.ts";\nexport const use = listMovements;\n'],
  ["bank", 'import { connectCell } from "../db/client.ts";\nexport const use = connectCell;\n'],
  ["bank-payments", 'import { planCart } from "../links/cart.ts";\nexport const use = planCart;\n'],
  ["bank-payments", 'import { events } from "../db/schema/webhooks.ts";\nexport const use = events;\n'],
  ["ledger", 'import { makeCode } from "../promotions/make-code.ts";\nexport const use = makeCode;\n'],
  ["links", 'import { listMovements } from "../ledger/movements/store.ts";\nexport const use = listMovements;\n'],
  ["catalogue", 'import { authenticate } from "../partners/authenticate.ts";\nexport const use = authenticate;\n'],
  ["promotions", 'import { planCart } from "../links/cart.ts";\nexport const use = planCart;\n'],
  ["promotions", 'import { paymentLinks } from "../db/schema/links.ts";\nexport const use = paymentLinks;\n'],
  ["disputes", 'import { listMovements } from "../ledger/movements/store.ts";\nexport const use = listMovements;\n'],
  ["subscriptions", 'import { listMovements } from "../ledger/movements/store.ts";\nexport const use = listMovements;\n'],
  ["links", 'import { v2Routes } from "../http/v2/index.ts";\nexport const use = v2Routes;\n'],
  ["ledger", 'import { endpoints } from "../db/schema/webhooks.ts";\nexport const use = endpoints;\n'],
  ["links", 'import { partners } from "../db/schema/index.ts";\nexport const use = partners;\n'],
  ["webhooks/outbox", 'import { upsertEndpoint } from "../endpoints/store.ts";\nexport const use = upsertEndpoint;\n'],
  ["webhooks/endpoints", 'import { retryDelay } from "../delivery/schedule.ts";\nexport const use = retryDelay;\n'],
  ["webhooks/delivery", 'import { resendEvent } from "../admin/resend.ts";\nexport const use = resendEvent;\n'],
  ["webhooks/delivery", 'import { Hono } from "hono";\nexport const use = Hono;\n'],
  ["links", 'import Stripe from "stripe";\nexport const use = Stripe;\n'],
  ["ledger", 'import { movements } from "../db/schema/ledger.ts";\nexport const use = movements;\n'],
  ["ledger", 'import { cellsOf } from "../db/partner-data.ts";\nexport const use = cellsOf;\n'],
  ["links", 'import { pullRows } from "../db/pull-rows.ts";\nexport const use = pullRows;\n'],
  ["health", 'import { connectCells } from "../db/cells.ts";\nexport const use = connectCells;\n'],
  ["ledger", 'import { prepareOnce } from "../db/prepared.ts";\nexport const use = prepareOnce;\n'],
  ["story", 'import { sweepCell } from "../runners/sweeps.ts";\nexport const use = sweepCell;\n'],
  ["runners", 'import Stripe from "stripe";\nexport const use = Stripe;\n'],
  ["http/v2", 'import Stripe from "stripe";\nexport const use = Stripe;\n'],
] as const;

const OTHER_BREACHES = [
  ["no-floating-promises", "export function use(work: () => Promise<void>): void {\n  work();\n}\n"],
  ["no-misused-promises", "export function use(list: number[], work: (n: number) => Promise<void>): void {\n  list.forEach(work);\n}\n"],
  ["no-explicit-any", "export function use(value: any): void {\n  void value;\n}\n"],
  [
    "no-unsafe-assignment",
    "export const use = (text: string): void => {\n  const value: { a: string } = JSON.parse(text);\n  void value;\n};\n",
  ],
  ["no-unsafe-call", "export const use = (text: string): void => {\n  JSON.parse(text)();\n};\n"],
  ["no-unsafe-member-access", "export const use = (text: string): void => {\n  void JSON.parse(text).a;\n};\n"],
  ["no-unsafe-return", "export const use = (text: string): string => JSON.parse(text);\n"],
  ["no-unsafe-argument", "export const use = (text: string): number => Number.parseFloat(JSON.parse(text));\n"],
  ["no-unsafe-type-assertion", "export const use = (value: unknown): string => value as string;\n"],
  [
    "switch-exhaustiveness-check",
    'export function use(kind: "a" | "b"): number {\n  switch (kind) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}\n',
  ],
  ["only-throw-error", 'export function use(): never {\n  throw "text";\n}\n'],
  ["no-restricted-properties", "export const use = (): number => Date.now();\n"],
  ["no-restricted-properties", 'export const use = (): void => console.log("x");\n'],
  ["no-restricted-properties", 'export const use = (deps: { inCell(cell: string): void }): void => deps.inCell("01");\n'],
  ["no-restricted-properties", "export const use = (deps: { cells: readonly string[] }): number => deps.cells.length;\n"],
  ["no-cycle", 'import { worker } from "./breach-cycle.ts";\nexport const use = (): unknown => worker;\n'],
] as const;

interface Breach {
  readonly rule: string;
  readonly source: string;
  readonly file: string;
}

const breaches: readonly Breach[] = [
  ...LAYER_BREACHES.map(([room, source], index) => ({ rule: "no-restricted-imports", source, file: `src/${room}/layer-${index}.ts` })),
  ...OTHER_BREACHES.map(([rule, source], index) => ({ rule, source, file: `src/links/breach-${index}.ts` })),
  {
    rule: "no-restricted-imports",
    source: 'import { limits } from "../../src/core/limits.ts";\nexport const use = limits;\n',
    file: "dashboard/src/breach.ts",
  },
];

/** A copy of the project in which breaches can be written: the rules must find them there, or they find nothing. */
let copy = "";
let asItStands = "";
let withBreaches = "";

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "partner-payments-rules-"));
  for (const part of ["src", "migrations", "sandbox", "oxlint.config.ts", "biome.json", "tsconfig.json", "package.json"]) {
    await cp(join(root, part), join(copy, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  if (isFull) asItStands = await run("oxlint", ["--format", "unix", "src"]);
  await mkdir(join(copy, "dashboard", "src"), { recursive: true });
  for (const { file, source } of breaches) await writeFile(join(copy, file), source);
  const cycle = breaches.find(({ rule }) => rule === "no-cycle")?.file.replace("src/links", ".") ?? "";
  await writeFile(join(copy, "src/links/breach-cycle.ts"), `import { use } from "${cycle}";\nexport const worker = (): unknown => use;\n`);
  // To look at all of the code takes six times as long.
  withBreaches = await run("oxlint", ["--format", "unix", ...(isFull ? ["src"] : breaches.map(({ file }) => file))]);
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function run(name: string, args: readonly string[]): Promise<string> {
  const options = { cwd: copy, maxBuffer: 16 * 1024 * 1024 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [tool(name), ...args], options).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  );
  return stdout + stderr;
}

it("breaks every room's rule", async () => {
  const rooms = await readdir(join(root, "src"), { withFileTypes: true });
  const broken = new Set(LAYER_BREACHES.map(([room]) => room.split("/")[0]));
  expect([...broken].toSorted()).toEqual(rooms.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted());
});

it.runIf(isFull)("finds nothing in the code as it stands", () => {
  expect(asItStands).not.toMatch(/\[(Error|Warning)/);
});

it.each(breaches)("$rule is seen in $file: $source", ({ file, rule }) => {
  const found = withBreaches.split("\n").filter((line) => line.startsWith(`${file}:`));
  expect(found.some((line) => line.includes("[Error/") && line.includes(rule))).toBe(true);
});

describe("the formatter sees", () => {
  it.each([
    ["quotes", "export const a = 'single';\n"],
    ["unused imports", 'import { SECOND } from "../core/clock.ts";\nexport const a = 1;\n'],
  ])("%s", async (_what, source) => {
    await writeFile(join(copy, "src/links/format.ts"), source);
    expect(await run("biome", ["ci", "--colors=off", "--error-on-warnings", "src/links/format.ts"])).toMatch(/Found \d+ (error|warning)/);
  });

  it("raw HTML in a page of the dashboard", async () => {
    const source = 'export const Raw = () => <p dangerouslySetInnerHTML={{ __html: "<b>text</b>" }} />;\n';
    await writeFile(join(copy, "dashboard/src/raw.tsx"), source);
    expect(await run("biome", ["ci", "--colors=off", "dashboard/src/raw.tsx"])).toContain("noDangerouslySetInnerHtml");
  });
});
