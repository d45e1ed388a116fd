import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { localSecrets, localVars } from "./sandbox/local-settings.ts";

// Nothing here needs the network, and the runtime is not to look for it either.
Object.assign(process.env, localSecrets, { CLOUDFLARE_CF_FETCH_ENABLED: "false" });

export default defineConfig({
  // A dependency ships source maps without their sources; Vite would say so for each of its files.
  logLevel: "error",
  plugins: [
    cloudflareTest(async () => ({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          ...localSecrets,
          ...localVars({ edge: "http://localhost:8787", processor: "http://sandbox.test:8788" }),
          MIGRATIONS: await readD1Migrations("./migrations"),
        },
      },
    })),
  ],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/tooling/**"],
    setupFiles: ["./test/support/setup.ts"],
    testTimeout: 30_000,
    silent: "passed-only",
  },
});
