import type { D1Migration } from "@cloudflare/vitest-pool-workers";
import type { Bindings } from "../../src/env.ts";

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      /** A second cell, which the Worker does not have. */
      readonly SECOND_CELL: D1Database;
      readonly DIRECTORY_MIGRATIONS: D1Migration[];
      readonly CELL_MIGRATIONS: D1Migration[];
      /** How much the long proofs try, and what they print. */
      readonly PRINT_ROWS: string;
      readonly TEST_SCALE: "default" | "full";
      /** The paths of the unit tests, as JSON. */
      readonly UNIT_TESTS: string;
      readonly FUZZ_INPUTS: string;
      readonly TEST_SEED: string;
    }
    interface GlobalProps {
      mainModule: typeof import("../../src/worker.ts");
    }
  }

  /** Vite gives a file's modules by a pattern. */
  interface ImportMeta {
    glob<Module>(pattern: string): Readonly<Record<string, () => Promise<Module>>>;
  }
}
