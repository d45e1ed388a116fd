import { describe } from "vitest";
import { smallTests } from "./small-tests.ts";

/**
 * The small tests that need the Worker's bindings, one after the other in one worker: to start one for each costs more than
 * they do. By its own name, each still runs alone.
 */
const files = import.meta.glob<unknown>("./**/*.test.ts");

for (const file of smallTests) {
  describe(file, async () => {
    await files[file.replace("test/", "./")]?.();
  });
}
