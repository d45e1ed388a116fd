import { ServiceFailure } from "./errors.ts";
import { fetchUpstream } from "./trace.ts";

/** Sends an upstream request, with the signature of `fetch`. */
export type Send = typeof fetchUpstream;

/** The local sandbox does not run. A retry cannot help. */
export class SandboxMissing extends Error {
  override readonly name = "SandboxMissing";
  readonly origin: string;

  constructor(origin: string, options: { readonly cause: unknown }) {
    super(`nothing answers at ${origin}`, options);
    this.origin = origin;
  }
}

/**
 * {@link fetchUpstream} for local development, where the upstreams are the sandbox.
 * @throws SandboxMissing if the connection fails and a second request to the same origin fails too.
 */
export async function fetchSandbox(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetchUpstream(url, init);
  } catch (cause) {
    const { origin } = new URL(url instanceof Request ? url.url : url);
    if (init?.signal?.aborted === true || (await answers(origin))) throw cause;
    throw new SandboxMissing(origin, { cause });
  }
}

/** Whether the origin answers anything at all. The body is read, because the runtime waits for an unread one. */
async function answers(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/alive`);
    await answer.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

const USUAL_PORT = "8788";

/** The error of a call to a sandbox that does not run. The call had no effect. */
export function sandboxMissing(upstream: "processor" | "bank", thrown: SandboxMissing): ServiceFailure {
  const { port } = new URL(thrown.origin);
  const message = `nothing answers at ${thrown.origin}: start the sandbox with \`${port === USUAL_PORT ? "" : `SANDBOX_PORT=${port} `}npm run sandbox\``;
  return new ServiceFailure({ kind: "upstream_failed", upstream, code: null, message }, { sideEffects: "none", cause: thrown });
}
