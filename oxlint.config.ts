import { defineConfig } from "oxlint";

/**
 * Which rooms a room may import from; nothing else of `src`. Read from the ground up: it is the order of the house
 * (docs/architecture.md), and there is no other place that states it.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  db: ["core"],
  audit: ["core", "db"],
  idempotency: ["core", "db"],
  processor: ["core"],
  bank: ["core"],
  partners: ["core", "db"],
  catalogue: ["core", "db"],
  "short-links": ["core", "db", "idempotency"],
  notifications: ["audit", "core", "db", "idempotency", "partners"],
  subscriptions: ["core", "db", "partners", "processor"],
  promotions: ["catalogue", "core", "db", "idempotency", "partners", "processor"],
  links: ["catalogue", "core", "db", "idempotency", "notifications", "partners", "processor", "short-links"],
  "bank-payments": ["audit", "bank", "catalogue", "core", "db", "idempotency", "notifications", "partners"],
  ledger: ["audit", "core", "db", "links", "notifications", "partners", "processor", "subscriptions"],
};

/** The Worker's own files, which stand above all rooms. */
const ABOVE = ["app", "deps", "env", "operation-object", "queues", "sweeps", "worker", "works"];

/** Which schema file a room may read: its own. A link and its short link are one thing in two rooms, and share one. */
const TABLES: Readonly<Record<string, string>> = {
  audit: "audit",
  idempotency: "idempotency",
  partners: "partners",
  catalogue: "catalogue",
  "short-links": "links",
  links: "links",
  notifications: "notifications",
  ledger: "ledger",
  promotions: "promotions",
  subscriptions: "subscriptions",
  "bank-payments": "bank",
};

const rooms = Object.keys(MAY_IMPORT);
const schemaFiles = [...new Set(Object.values(TABLES))];

interface Ban {
  group: string[];
  message: string;
}

const ONLY_PROCESSOR: Ban = { group: ["stripe"], message: "Only processor/ knows the processor's library." };
const OUTSIDE: Ban = {
  group: ["**/sandbox/**", "**/cli/**", "**/bench/**", "**/test/**"],
  message: "What is deployed may not need what is only for development.",
};
const NO_TABLES: Ban = { group: ["**/db/**"], message: "A surface asks the rooms; it reads no table." };

function bansIn(room: string): Ban[] {
  const allowed = MAY_IMPORT[room] ?? [];
  const above = [...rooms.filter((other) => other !== room && !allowed.includes(other)), "http"];
  const foreign = schemaFiles.filter((file) => file !== TABLES[room]);
  return [
    {
      group: [...above.map((other) => `**/${other}/**`), ...ABOVE.map((file) => `../${file}.ts`)],
      message: `${room} may import from ${allowed.join(", ") || "no other room"}.`,
    },
    ...(room === "db"
      ? []
      : [
          { group: [...foreign.map((file) => `**/schema/${file}.ts`), "**/schema/index.ts"], message: "A room reads its own tables only." },
        ]),
    { group: ["hono", "hono/*", "@hono/*"], message: "Only http/ and app.ts know the router." },
    ...(room === "processor" ? [] : [ONLY_PROCESSOR]),
    OUTSIDE,
  ];
}

function banned(patterns: Ban[]): { "no-restricted-imports": ["error", { patterns: Ban[] }] } {
  return { "no-restricted-imports": ["error", { patterns }] };
}

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "promise"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["node_modules", "migrations", "dist", "public", "cli/site/static"],
  options: { typeAware: true },
  rules: {
    "import/no-cycle": "error",
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
    "no-restricted-properties": [
      "error",
      { object: "Date", property: "now", message: "Ask the clock that was passed in (core/clock.ts)." },
      { object: "console", property: "log", message: "Write to the log that was passed in (core/log.ts)." },
    ],
  },
  overrides: [
    {
      files: ["src/**"],
      rules: {
        "typescript/no-unsafe-type-assertion": "error",
        ...banned([ONLY_PROCESSOR, OUTSIDE]),
      },
    },
    { files: ["src/http/**"], rules: banned([ONLY_PROCESSOR, OUTSIDE, NO_TABLES]) },
    ...rooms.map((room) => ({ files: [`src/${room}/**`], rules: banned(bansIn(room)) })),
    // The processor's objects are what JSON is, and the sandbox is trusted with them.
    { files: ["sandbox/**", "test/**"], rules: { "typescript/no-unsafe-type-assertion": "off" } },
    { files: ["src/core/clock.ts", "src/core/log.ts", "cli/**", "bench/**", "test/**"], rules: { "no-restricted-properties": "off" } },
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
        "promise/no-promise-in-callback": "off",
      },
    },
  ],
});
