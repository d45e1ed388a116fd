import type { Fault, SandboxState } from "./state.ts";
import type { World } from "./world.ts";

/** Shared by the processor and the bank: the log of their calls, and the injected faults. */

/** Maximum number of calls in the log; the oldest are dropped first. */
const MAX_REQUESTS = 20_000;

type Request = SandboxState["requests"][number];

/** Logs a call; its status is set when the response is sent. */
export function logCall(world: World, request: Omit<Request, "at" | "status">): Request {
  const logged = { ...request, at: world.clock.now(), status: null };
  world.state.requests.push(logged);
  if (world.state.requests.length > MAX_REQUESTS) world.state.requests.shift();
  return logged;
}

/** Returns the injected fault for this call, if one is set and applies, and decrements its counter. */
export function takeFault(world: World, call: string, concerns: (fault: Fault) => boolean = () => true): Fault | undefined {
  const fault = world.state.faults.find((candidate) => `${candidate.target} ${candidate.call}` === call && concerns(candidate));
  if (fault === undefined) return undefined;
  fault.times -= 1;
  if (fault.times <= 0) world.state.faults = world.state.faults.filter((candidate) => candidate !== fault);
  return { ...fault };
}
