import { defineConfig } from "vitest/config";
import { pageTests, unitTests } from "../../local/unit-tests.ts";

/** `npm run mutate`: the unit tests in Node.js. A whole `npm test` runs the same files in workerd. */
export default defineConfig({
  test: { environment: "node", include: [...unitTests, ...pageTests], setupFiles: ["./test/support/node.ts"], silent: "passed-only" },
});
