import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { buildSandbox } from "../../sandbox/app.ts";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { emptyState, readState, type SandboxState } from "../../sandbox/state.ts";
import { isCut, type World } from "../../sandbox/world.ts";
import { type Clock, systemClock } from "../../src/core/clock.ts";

const SAVE_EVERY = 500;
const BALANCE_DELAY = 300;

export interface SandboxServer {
  /** Its current state. */
  state(): SandboxState;
  close(): Promise<void>;
}

interface Options {
  readonly port: number;
  readonly edge: string;
  /** The file for the sandbox's state, which then survives a restart. Null: it does not. */
  readonly stateFile: string | null;
  /** The system's, unless time is advanced. */
  readonly clock?: Clock;
  /** Lets time pass, in milliseconds: for the whole service. */
  readonly advance?: World["advance"];
}

/** Starts the sandbox as an HTTP server on this machine. Rejects if the port is in use. */
export async function startSandbox(options: Options): Promise<SandboxServer> {
  const timers = new Set<NodeJS.Timeout>();
  const world: World = {
    state: load(options.stateFile),
    clock: options.clock ?? systemClock,
    ...(options.advance === undefined ? {} : { advance: options.advance }),
    origin: `http://localhost:${options.port}`,
    edge: options.edge,
    balanceDelay: BALANCE_DELAY,
    eventSecrets: { live: localSecrets.PROCESSOR_EVENT_SECRET_LIVE, test: localSecrets.PROCESSOR_EVENT_SECRET_TEST },
    fetch: (url, init) => fetch(url, init),
    later(delay, task) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        task().catch((thrown: unknown) => console.error("sandbox:", thrown));
      }, delay);
      timers.add(timer);
    },
    wait: (delay) => new Promise((resolve) => setTimeout(resolve, delay)),
  };
  const app = buildSandbox(world);
  // Both loopback addresses, because `localhost` may resolve to either, and no external address.
  const servers = [await listen(options.port, "127.0.0.1", app), await listen(options.port, "::1", app).catch(() => null)];
  let saved = "";
  const save = () => {
    if (options.stateFile === null) return;
    const text = JSON.stringify(world.state);
    if (text === saved) return;
    // Written to a temporary file and renamed, so that a crash never leaves a partial file.
    writeFileSync(`${options.stateFile}.new`, text);
    renameSync(`${options.stateFile}.new`, options.stateFile);
    saved = text;
  };
  const saving = setInterval(save, SAVE_EVERY);
  return {
    state: () => world.state,
    async close() {
      clearInterval(saving);
      for (const timer of timers) clearTimeout(timer);
      for (const server of servers) {
        server?.close();
        server?.closeAllConnections();
      }
      save();
    },
  };
}

function listen(port: number, host: string, app: ReturnType<typeof buildSandbox>): Promise<Server> {
  const listener = getRequestListener(async (request, environment) => {
    const response = await app.fetch(request);
    if (isCut(response)) environment.outgoing.destroy();
    return response;
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}

function load(stateFile: string | null) {
  if (stateFile === null) return emptyState();
  try {
    return readState(readFileSync(stateFile, "utf8")) ?? emptyState();
  } catch {
    return emptyState();
  }
}
