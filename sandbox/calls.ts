import type { Fault, SandboxState } from "./state.ts";
import type { World } from "./world.ts";

/** What the processor and the bank have in common: a log of their calls, and faults that are set for them. */

/** The log forgets its oldest calls beyond this. */
const MOST_REQUESTS = 20_000;

type Request = SandboxState["requests"][number];

/** Puts a call into the log; its status is filled in once it has been answered. */
export function logCall(world: World, request: Omit<Request, "at" | "status">): Request {
  const logged = { ...request, at: world.clock.now(), status: null };
  world.state.requests.push(logged);
  if (world.state.requests.length > MOST_REQUESTS) world.state.requests.shift();
  return logged;
}

/** Takes the fault that the next call of this name is to meet, if one is set and concerns it, and counts it off. */
export function takeFault(world: World, call: string, concerns: (fault: Fault) => boolean = () => true): Fault | undefined {
  const fault = world.state.faults.find((candidate) => `${candidate.target} ${candidate.call}` === call && concerns(candidate));
  if (fault === undefined) return undefined;
  fault.times -= 1;
  if (fault.times <= 0) world.state.faults = world.state.faults.filter((candidate) => candidate !== fault);
  return { ...fault };
}
