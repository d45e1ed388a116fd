import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { messagesAtOnce } from "../src/core/message-queue.ts";
import { compatibility, deployedBindings, storeBindings } from "../tools/local/deployed-worker.ts";
import { migrate } from "../tools/local/migrate.ts";
import { root } from "../tools/local/processes.ts";
import { compiled, moduleOf } from "./bundle.ts";

/** Only errors of the Worker's log are shown: a line for each request would hide the results. */
export const quiet = {
  handleStructuredLogs({ level, message }: { readonly level: string; readonly message: string }) {
    if (level === "error") console.error(message);
  },
};

/** Shows nothing: the look-up of an event fails at the stand-in, after the event was answered. */
export const silent = { handleStructuredLogs: () => undefined };

export const shared = { compatibilityDate: compatibility.compatibilityDate };

type WorkerOptions = Extract<ConstructorParameters<typeof Miniflare>[0], { workers: unknown }>["workers"][number];
const settings = {
  ...localSecrets,
  ...localVars({ edge: "http://localhost", processor: "https://processor.example", bank: "https://bank.example" }),
  // A payment is looked up at its first event.
  EVENT_DEBOUNCE_MS: "0",
};

export const consumed = (name: string, maxBatchSize = 10) => ({ type: "queue", name, maxBatchSize, maxBatchTimeout: 0 }) as const;

/** The product's consumer of deliveries. */
export const consumesDeliveries = consumed("deliveries", messagesAtOnce.deliveries);

export type Limits = Readonly<Record<string, number>>;

/**
 * A Worker with the product's bindings, on its own socket. `limits`: of its rate-limiting bindings. `delivers`: it
 * consumes delivery messages, and can reach receivers on this machine.
 */
export function productWorker(
  bundle: string,
  port: number,
  { limits = {}, cells = 1, delivers = false }: { readonly limits?: Limits; readonly cells?: number; readonly delivers?: boolean } = {},
): WorkerOptions {
  const texts = Object.entries(settings).map(([name, value]) => [name, { type: "text", value }] as const);
  const counters = Object.entries(limits).map(
    ([name, limit]) => [name, { type: "rate-limit", namespace: name, simple: { limit, period: 60 } }] as const,
  );
  const bound = deployedBindings("product", "upstream", cells);
  return {
    config: {
      ...compatibility,
      name: "product",
      manifest: moduleOf(bundle),
      env: {
        ...Object.fromEntries(texts),
        ...Object.fromEntries(counters),
        ...bound.env,
      },
      exports: bound.exports,
      triggers: [consumed("processor-events"), ...(delivers ? [consumesDeliveries] : [])],
    },
    dev: socket(port, delivers),
  };
}

/** The Worker of the short links with its bindings, on its own socket. */
export function linksWorker(bundle: string, port: number): WorkerOptions {
  return {
    config: {
      ...compatibility,
      name: "links",
      manifest: moduleOf(bundle),
      // As in the product's settings, which are local ones: a checkout may be anywhere.
      env: { ...storeBindings(1), DEPLOYMENT: { type: "text", value: settings.DEPLOYMENT } },
    },
    dev: socket(port),
  };
}

/** Answers the product's fetches (`upstream.ts`). */
export const upstreamWorker = () => ({ config: { ...shared, name: "upstream", manifest: moduleOf(compiled("upstream.ts")) } });

/** A socket for one Worker. The upstream answers its fetches, unless it may reach this machine. */
export const socket = (port: number, isOpen = false) => ({
  unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  ...(isOpen ? {} : { outboundService: { type: "worker", worker: "upstream" } as const }),
});

/** Migrates a database to the schema of this build. */
export function migrateTo(kind: "directory" | "cell", database: D1Database): Promise<void> {
  return goingOn(() => migrate(database, join(root, "migrations", kind)));
}

/**
 * Repeats work that was interrupted. The runtime closes a connection that was idle for five seconds, which may pass
 * between two calls on a busy machine: a request at that moment fails without effect.
 */
export async function goingOn<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!wasClosed(thrown)) throw thrown;
    return goingOn(work);
  }
}

function wasClosed(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.cause instanceof Error && "code" in thrown.cause && thrown.cause.code === "UND_ERR_SOCKET";
}
