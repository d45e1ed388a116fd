import { readdirSync } from "node:fs";
import { defineConfig } from "oxlint";

/**
 * Which modules a module of src/ may import from; nothing else of `src`. Read from the bottom up: this is the order of
 * the layers (docs/architecture.md), and no other place states it.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  db: ["core"],
  views: ["core"],
  audit: ["core", "db"],
  idempotency: ["core", "db"],
  processor: ["core"],
  bank: ["core"],
  "rate-limits": ["core"],
  operators: ["audit", "core", "db"],
  partners: ["audit", "core", "db", "rate-limits"],
  grants: ["audit", "core", "db", "partners"],
  catalogue: ["audit", "core", "db"],
  "short-links": ["core", "db", "idempotency"],
  // Only the outbox is open to the other modules.
  "webhooks/outbox": ["core", "db", "views"],
  "webhooks/endpoints": ["audit", "core", "db", "idempotency", "partners"],
  "webhooks/delivery": ["chats", "core", "db", "views", "webhooks/endpoints", "webhooks/outbox"],
  "webhooks/admin": ["audit", "core", "db", "partners", "views", "webhooks/delivery", "webhooks/endpoints", "webhooks/outbox"],
  orders: ["core", "db"],
  subscriptions: ["audit", "core", "db", "partners", "processor"],
  disputes: ["core", "db", "partners", "processor", "webhooks/outbox"],
  promotions: ["audit", "catalogue", "core", "db", "idempotency", "partners", "processor"],
  links: ["audit", "catalogue", "core", "db", "idempotency", "partners", "processor", "short-links", "webhooks/outbox"],
  moderation: ["audit", "catalogue", "core", "db", "idempotency", "links", "partners", "processor"],
  "bank-payments": ["audit", "bank", "catalogue", "core", "db", "idempotency", "orders", "partners", "webhooks/outbox"],
  moves: ["audit", "core", "db", "partners"],
  notes: ["audit", "core", "db"],
  chats: ["audit", "core", "db", "webhooks/endpoints"],
  requests: ["bank-payments", "core", "db", "idempotency", "links", "promotions"],
  story: [
    "audit",
    "bank-payments",
    "catalogue",
    "core",
    "db",
    "disputes",
    "grants",
    "idempotency",
    "ledger",
    "links",
    "orders",
    "partners",
    "processor",
    "promotions",
    "requests",
    "short-links",
    "subscriptions",
    "webhooks/admin",
    "webhooks/outbox",
  ],
  ledger: [
    "audit",
    "bank-payments",
    "core",
    "db",
    "disputes",
    "links",
    "notes",
    "orders",
    "partners",
    "processor",
    "subscriptions",
    "webhooks/outbox",
  ],
  summaries: ["books", "core", "ledger", "orders"],
  "partner-status": ["core", "db", "partners", "short-links", "webhooks/admin"],
  health: [
    "bank",
    "bank-payments",
    "books",
    "catalogue",
    "core",
    "db",
    "disputes",
    "idempotency",
    "ledger",
    "links",
    "processor",
    "webhooks/admin",
    "webhooks/delivery",
  ],
  books: [
    "audit",
    "bank",
    "bank-payments",
    "core",
    "db",
    "ledger",
    "links",
    "orders",
    "partners",
    "processor",
    "subscriptions",
    "webhooks/outbox",
  ],
  opens: ["core", "db", "links", "partners"],
  figures: ["bank-payments", "core", "db", "ledger", "partners", "webhooks/admin"],
};

/** The Workers' own files, which stand above all modules. */
const ABOVE = ["app", "build-deps", "deps", "env", "isolate", "links-database", "links-isolate", "links-worker", "settings", "worker"];

/** Which schema file a module may read: its own. A link and its short link are one thing in two modules, and share one. */
const TABLES: Readonly<Record<string, string>> = {
  audit: "audit",
  operators: "operators",
  idempotency: "idempotency",
  partners: "partners",
  catalogue: "catalogue",
  grants: "grants",
  "short-links": "links",
  links: "links",
  "webhooks/outbox": "webhooks",
  "webhooks/endpoints": "webhooks",
  "webhooks/delivery": "webhooks",
  "webhooks/admin": "webhooks",
  ledger: "ledger",
  books: "books",
  opens: "opens",
  orders: "orders",
  promotions: "promotions",
  disputes: "disputes",
  subscriptions: "subscriptions",
  "bank-payments": "bank",
  figures: "figures",
  health: "health",
  moves: "moves",
  notes: "notes",
  requests: "requests",
  chats: "webhooks",
};

/** The folders beside src/, and which of the others each may import from: what is deployed needs none of them. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  sandbox: ["src"],
  "tools/site": ["tools/local", "tools/release", "sandbox", "src"],
  "tools/release": ["tools/cli", "tools/local", "tools/site", "src"],
  packages: ["tools/cli", "tools/local", "sandbox", "src"],
  "tools/local": ["sandbox", "src"],
  bench: ["tools/local", "sandbox", "src"],
  "tools/chaos": ["tools/local", "sandbox", "src"],
  "tools/cli": ["bench", "packages", "tools/chaos", "tools/local", "tools/release", "tools/site", "sandbox", "src"],
};

const CLOCK_AND_LOG = [
  { object: "Date", property: "now", message: "Ask the clock that was passed in (core/clock.ts)." },
  { object: "console", property: "log", message: "Write to the log that was passed in (core/log.ts)." },
];

const modules = Object.keys(MAY_IMPORT);

/** The modules that may import all others. */
const TOP = ["http", "runners"];

for (const entry of readdirSync(`${import.meta.dirname}/src`, { withFileTypes: true })) {
  if (!entry.isDirectory() || [...modules, ...TOP].some((name) => name.split("/")[0] === entry.name)) continue;
  throw new Error(
    `src/${entry.name} has no layer: say in MAY_IMPORT here what it may import, in LAYER_BREACHES (test/rules/lint.test.ts) what it may not, and in docs/architecture.md what it is`,
  );
}
const schemaFiles = [...new Set(Object.values(TABLES))];

interface Ban {
  group: string[];
  /** Left out: all. */
  importNames?: string[];
  message: string;
  allowTypeImports?: true;
}

const ONLY_PROCESSOR: Ban = { group: ["stripe"], message: "Only processor/ knows the processor's library." };
const OUTSIDE: Ban = {
  group: ["**/sandbox/**", "**/tools/**", "**/bench/**", "**/test/**"],
  message: "What is deployed may not need what is only for development.",
};
const NO_TABLES: Ban = {
  group: ["**/db/**"],
  message: "A surface calls the modules; it reads no table.",
};

/** Who knows in how many databases the data of partners is. The others get `PartnerData` and the functions of their dependencies. */
const KNOW_CELLS = new Set(["db", "partners", "moves"]);
const NO_CELLS: readonly Ban[] = [
  { group: ["**/db/partner-data.ts"], importNames: ["cellsOf"], message: "Ask PartnerData, which knows the partner's databases." },
  {
    group: ["**/db/pull-rows.ts"],
    importNames: ["pullRows", "pullToCurrentCell"],
    message: "Ask the dependencies: pullRows, pullToCurrentCell.",
  },
  { group: ["**/db/cells.ts", "**/db/kind-rows.ts"], message: "Only db, partners and moves know how cells are bound." },
];
const NO_CELL_PROPERTIES = {
  "no-restricted-properties": [
    "error",
    ...CLOCK_AND_LOG,
    ...["inCell", "cells"].map((property) => ({
      object: "deps",
      property,
      message: "Only db, partners, moves, deps.ts and runners/ name a cell: use ofPartner, everyCell or cellNamed.",
    })),
  ],
} as const;

/**
 * Files that may prepare a statement's text once (db/prepared.ts): their statements are on the way of each request of a partner,
 * where building the text costs as much as running it. Everywhere else, statements are built by drizzle each time.
 */
const PREPARES_ONCE = [
  "bank-payments/store.ts",
  "catalogue/store.ts",
  "idempotency/daily-records.ts",
  "idempotency/store.ts",
  "ledger/movements/list.ts",
  "links/store.ts",
  "partners/key-store.ts",
  "promotions/store.ts",
];
const NO_PREPARING: Ban = {
  group: ["**/db/prepared.ts"],
  importNames: ["prepareOnce", "insertOnce"],
  message: "Build statements with drizzle. oxlint.config.ts lists the files that prepare a text once, and why.",
};

/** The one room of the statements on movements: the rest of the ledger asks it. */
const MOVEMENTS = "ledger/movements";
const NO_MOVEMENTS: Ban = {
  group: ["**/schema/ledger.ts"],
  importNames: ["movements"],
  message: `Only ${MOVEMENTS} queries movements.`,
  allowTypeImports: true,
};

function bansIn(module: string): Ban[] {
  const allowed = MAY_IMPORT[module] ?? [];
  const above = [...modules.filter((other) => other !== module && !allowed.includes(other)), ...TOP];
  const foreign = schemaFiles.filter((file) => file !== TABLES[module]);
  // A neighbour in the same folder is imported by its last name alone: `../endpoints/store.ts`.
  const pathsTo = (other: string) => [`**/${other}/**`, ...(module.includes("/") ? [`**/${other.replace(/^.*[/]/, "")}/**`] : [])];
  return [
    {
      group: [...above.flatMap(pathsTo), ...ABOVE.flatMap((file) => [`../${file}.ts`, `../../${file}.ts`])],
      message: `${module} may import from ${allowed.join(", ") || "no other module"}.`,
    },
    ...(module === "db"
      ? []
      : [
          {
            group: [...foreign.map((file) => `**/schema/${file}.ts`), "**/schema/index.ts"],
            message: "A module reads its own tables only.",
          },
        ]),
    { group: ["hono", "hono/*", "@hono/*"], message: "Only http/ and app.ts know the router." },
    ...(module === "processor" ? [] : [ONLY_PROCESSOR]),
    ...(KNOW_CELLS.has(module) ? [] : NO_CELLS),
    OUTSIDE,
  ];
}

function bansBeside(folder: string, allowed: readonly string[]): Ban[] {
  const others = [...Object.keys(FOLDERS), "test"].filter((other) => other !== folder && !allowed.includes(other));
  // A neighbour in `tools` is imported by its last name alone: `../local/ports.ts`.
  return [
    { group: others.map((other) => `**/${other.replace(/^.*[/]/, "")}/**`), message: `${folder} may import from ${allowed.join(", ")}.` },
  ];
}

function banned(patterns: Ban[]): { "no-restricted-imports": ["error", { patterns: Ban[] }] } {
  return { "no-restricted-imports": ["error", { patterns }] };
}

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "promise"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["node_modules", "migrations", "dist", "public", "tools/site/static", "test/clients", "examples"],
  options: { typeAware: true },
  rules: {
    // Circles of types alone are circles too.
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-unassigned-import": "off",
    "import/no-named-as-default": "off",
    "import/no-named-as-default-member": "off",
    // The compiler's business, which knows what is exhaustive.
    "consistent-return": "off",
    "typescript/consistent-return": "off",
    "oxc/no-async-endpoint-handlers": "off",
    // Each call waits for the one before on purpose, or the rule does not see that it does not.
    "no-await-in-loop": "off",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/only-throw-error": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "no-restricted-properties": ["error", ...CLOCK_AND_LOG],
  },
  overrides: [
    {
      files: ["src/**"],
      rules: {
        "typescript/no-unsafe-type-assertion": "error",
        ...banned([ONLY_PROCESSOR, OUTSIDE]),
      },
    },
    { files: ["src/http/**"], rules: { ...banned([ONLY_PROCESSOR, OUTSIDE, NO_TABLES]), ...NO_CELL_PROPERTIES } },
    ...modules.map((module) => ({
      files: [`src/${module}/**`],
      rules: {
        ...banned([...bansIn(module), ...(module === "db" ? [] : [NO_PREPARING]), ...(module === "ledger" ? [NO_MOVEMENTS] : [])]),
        ...(KNOW_CELLS.has(module) ? {} : NO_CELL_PROPERTIES),
      },
    })),
    { files: [`src/${MOVEMENTS}/**`], rules: banned([...bansIn("ledger"), NO_PREPARING]) },
    ...PREPARES_ONCE.map((file) => ({ files: [`src/${file}`], rules: banned(bansIn(file.replace(/[/].*$/, ""))) })),
    ...Object.entries(FOLDERS).map(([folder, allowed]) => ({ files: [`${folder}/**`], rules: banned(bansBeside(folder, allowed)) })),
    {
      files: ["dashboard/**"],
      rules: banned([
        {
          // How people write an amount is one rule, for the files that operators import and for the forms.
          group: [
            "**/src/**",
            "!**/src/core/typed-amount.ts",
            "!**/src/core/continues.ts",
            // The actions of the audit log, of which no language may lack one.
            "!**/src/audit/actions.ts",
            "**/sandbox/**",
            "**/tools/**",
            "**/bench/**",
            "**/test/**",
          ],
          message: "The dashboard knows the Worker by its description alone.",
        },
      ]),
    },
    // The mutation tool runs the unit tests, which are listed beside them.
    { files: ["tools/cli/mutation/vitest.config.ts"], rules: { "no-restricted-imports": "off" } },
    // The auditor has its own idea of everything: a mistake of the Worker's must not be its own.
    {
      files: ["tools/chaos/auditor/**"],
      rules: banned([
        { group: ["**/src/**", "**/sandbox/**", "**/local/**", "../*.ts"], message: "The auditor shares no code with what it audits." },
      ]),
    },
    // What the service answers is as its description says: the client for partners checks no more.
    { files: ["packages/sdk/**"], rules: { "typescript/no-unsafe-type-assertion": "off" } },
    // The processor's objects are what JSON is, and the sandbox is trusted with them. Benchmarks play bindings.
    { files: ["sandbox/**", "tools/chaos/**", "bench/**", "test/**"], rules: { "typescript/no-unsafe-type-assertion": "off" } },
    {
      files: ["src/core/clock.ts", "src/core/log.ts", "tools/**", "packages/**", "bench/**", "test/**"],
      rules: { "no-restricted-properties": "off" },
    },
    {
      files: ["test/**"],
      rules: {
        "typescript/no-unsafe-argument": "off",
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-call": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-return": "off",
        "typescript/no-explicit-any": "off",
        // A test reads best with its helpers beside it, and patches what it observes.
        "unicorn/consistent-function-scoping": "off",
        "typescript/no-this-alias": "off",
        "typescript/unbound-method": "off",
        // A generic over tables has no columns until it is called.
        "typescript/no-generated-empty-object-type": "off",
        "promise/no-promise-in-callback": "off",
      },
    },
  ],
});
