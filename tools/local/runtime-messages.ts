import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./processes.ts";

/** Where the messages of the runtime are kept, of the last test run. */
export const RUNTIME_MESSAGES = join(root, ".wrangler", "test-runtime.log");

/** How the runtime and its host begin a message: about crashes that tests inject, and queries that they make fail, too. */
const MESSAGE = /^(?:uncaught exception; |console warning; |\[mf:warn\] |Using secrets defined in )/;

/**
 * Keeps the messages of the Workers runtime out of the output of a test run, in a file: each is written as a whole. The output of
 * failed tests is not touched.
 */
export function keepRuntimeMessages(): void {
  mkdirSync(join(root, ".wrangler"), { recursive: true });
  writeFileSync(RUNTIME_MESSAGES, "");
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    Object.assign(stream, {
      write(...given: readonly unknown[]): unknown {
        const [piece] = given;
        if (typeof piece !== "string" || !MESSAGE.test(piece)) return Reflect.apply(write, stream, given);
        appendFileSync(RUNTIME_MESSAGES, piece);
        return true;
      },
    });
  }
}
