import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { localSecrets, localVars } from "./sandbox/local-settings.ts";

// Nothing here needs the network, and the runtime is not to look for it either.
Object.assign(process.env, localSecrets, { CLOUDFLARE_CF_FETCH_ENABLED: "false" });

const onThisMachine = ["test/stack/**/*.test.ts", "test/rules/**/*.test.ts"];

export default defineConfig({
  // A dependency ships source maps without their sources; Vite would say so for each of its files.
  logLevel: "error",
  test: {
    silent: "passed-only",
    // Most of the time is spent waiting for time-outs and for processes, so more workers than cores pay.
    maxWorkers: 4,
    projects: [
      {
        logLevel: "error",
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                ...localSecrets,
                ...localVars({ edge: "http://localhost:8787", processor: "http://sandbox.test:8788", bank: "http://sandbox.test:8788" }),
                MIGRATIONS: await readD1Migrations("./migrations"),
              },
            },
          })),
        ],
        test: {
          name: "workerd",
          include: ["test/**/*.test.ts"],
          exclude: onThisMachine,
          setupFiles: ["./test/support/setup.ts"],
          testTimeout: 30_000,
        },
      },
      {
        // What starts processes of its own: whole stacks, and the linters on seeded breaches.
        test: { name: "machine", include: onThisMachine, environment: "node", testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
  },
});
