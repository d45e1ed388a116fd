import type { Environment } from "../core/environment.ts";
import type { Send } from "../core/fetch-sandbox.ts";
import { lazyMethods } from "../core/lazy.ts";
import type { ReportMisfit } from "./misfits.ts";
import type { Processor } from "./port.ts";

/**
 * The processor adapter on the official client, with the key of one environment. The library is large, so it is loaded with the first
 * call. `report` gets fields of the processor's answers that do not fit their shapes.
 */
export function createProcessor(base: string, key: string, environment: Environment, send: Send, report: ReportMisfit): Processor {
  return lazyMethods(async () => (await import("./client-calls.ts")).openProcessor(base, key, environment, send, report));
}
