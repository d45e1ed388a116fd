import type { Clock } from "../src/core/clock.ts";
import type { ProcessorObject, SandboxState } from "./state.ts";

/** The sandbox's environment: the host defines how it reaches the edge, waits, and drops a connection. */
export interface World {
  state: SandboxState;
  readonly clock: Clock;
  /** The sandbox's own origin, for the addresses of its pages. */
  readonly origin: string;
  /** The edge's origin, where events go. */
  readonly edge: string;
  /** The delay of a card payment's balance transaction after its charge, in milliseconds. */
  readonly balanceDelay: number;
  readonly eventSecrets: { readonly live: string; readonly test: string };
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Runs a task in the background after a delay in milliseconds. */
  later(delay: number, task: () => Promise<void>): void;
  /** Waits before an answer, in milliseconds. */
  wait(delay: number): Promise<void>;
  /** Lets time pass for the sandbox and the edge, in milliseconds; missing where their clock is the system's. */
  advance?(milliseconds: number): Promise<void>;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A random id in the processor's format. */
export function randomId(prefix: string): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => ALPHABET[byte % ALPHABET.length]);
  return `${prefix}_${letters.join("")}`;
}

export function nowInSeconds(world: World): number {
  return Math.floor(world.clock.now() / 1000);
}

type NewObject = { object: string; livemode: boolean; id?: string } & Record<string, unknown>;

/** Stores a new object under a random id with the prefix, or under its own id if it has one. */
export function addObject(world: World, prefix: string, fields: NewObject): ProcessorObject {
  const object: ProcessorObject = { id: randomId(prefix), created: nowInSeconds(world), ...fields };
  world.state.objects[object.id] = object;
  const order = world.state.order[object.object] ?? [];
  order.push(object.id);
  world.state.order[object.object] = order;
  return object;
}

/** An object by its id, if there is one. */
export function findObject(world: World, id: unknown): ProcessorObject | undefined {
  return typeof id === "string" ? world.state.objects[id] : undefined;
}

/**
 * An object that must exist. With `livemode`, it must also belong to that environment, because a live or test key sees
 * only its own. @throws UnknownObject, an error of the caller.
 */
export function getObject(world: World, kind: string, id: unknown, livemode?: boolean): ProcessorObject {
  const object = findObject(world, id);
  if (object?.object !== kind) throw new UnknownObject(kind, String(id));
  if (livemode !== undefined && object.livemode !== livemode) {
    const [there, here] = livemode ? ["test", "live"] : ["live", "test"];
    throw new UnknownObject(
      kind,
      object.id,
      `; a similar object exists in ${there} mode, but a ${here} mode key was used to make this request.`,
    );
  }
  return object;
}

/** Runs a task after a delay, unless the sandbox is reset in the meantime. */
export function later(world: World, delay: number, task: () => Promise<void>): void {
  const { state } = world;
  world.later(delay, async () => {
    if (world.state === state) await task();
  });
}

/**
 * Delays in milliseconds before an undelivered message is sent again. They are short here: the real ones are an hour,
 * and then days. A message that failed while the edge was down arrives within eight seconds after it is back.
 */
const RETRY_WAITS = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 30_000, 120_000];

/** Retries after a delay, unless the limit is reached. `tries`: the number of retries so far. */
export function retryLater(world: World, tries: number, task: () => Promise<void>): void {
  const wait = RETRY_WAITS[tries];
  if (wait !== undefined) later(world, wait, task);
}

export class UnknownObject extends Error {
  override readonly name = "UnknownObject";
  constructor(kind: string, id: string, hint = "") {
    super(`No such ${kind}: '${id}'${hint}`);
  }
}

/** All objects of a kind, newest first, as the processor lists them. */
export function listObjects(world: World, kind: string): ProcessorObject[] {
  return (world.state.order[kind] ?? []).toReversed().flatMap((id) => world.state.objects[id] ?? []);
}

const CUT = "X-Sandbox-Cut";

/** A marker response: the sandbox's host drops the connection instead of sending it. */
export function cutConnection(): Response {
  return new Response(null, { headers: { [CUT]: "1" } });
}

/** Whether a response is the marker of {@link cutConnection}. */
export function isCut(response: Response): boolean {
  return response.headers.has(CUT);
}
