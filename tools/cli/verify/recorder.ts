import { buildSandbox } from "../../../sandbox/app.ts";
import { emptyState } from "../../../sandbox/state.ts";
import type { World } from "../../../sandbox/world.ts";
import { systemClock } from "../../../src/core/clock.ts";

/** The origin of the sandbox inside this process. Nothing listens there. */
export const SANDBOX = "http://sandbox.invalid";

/** A received answer: its call, and its JSON. */
export interface Recorded {
  readonly call: string;
  readonly status: number;
  readonly body: unknown;
}

/**
 * Runs `work` and records every answer that `fetch` gets in that time. A new sandbox in this process answers requests
 * to {@link SANDBOX}; all others go to their address.
 */
export async function record(work: () => Promise<void>): Promise<Recorded[]> {
  const sandbox = buildSandbox(newWorld());
  const recorded: Recorded[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname } = new URL(request.url);
    const response = origin === SANDBOX ? await sandbox.fetch(request) : await original(request);
    const text = await response.clone().text();
    recorded.push({ call: `${request.method} ${withoutIds(pathname)}`, status: response.status, body: parsed(text) });
    return response;
  };
  try {
    await work();
  } finally {
    globalThis.fetch = original;
  }
  return recorded;
}

function newWorld(): World {
  return {
    state: emptyState(),
    clock: systemClock,
    origin: SANDBOX,
    edge: "http://edge.invalid",
    balanceDelay: 0,
    eventSecrets: { live: "whsec_sandbox_live", test: "whsec_sandbox_test" },
    fetch: () => Promise.resolve(new Response(null)),
    later: () => undefined,
    wait: () => Promise.resolve(),
  };
}

function withoutIds(path: string): string {
  return path.replaceAll(/\/(?:[a-z]+_)[A-Za-z0-9_]+(?=\/|$)/g, (id) => (/_\w*[A-Z0-9]/.test(id) ? "/…" : id));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
