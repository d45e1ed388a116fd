import type { Clock } from "../src/core/clock.ts";
import type { ProcessorObject, SandboxState } from "./state.ts";

/** What the sandbox is placed in: its host decides how it reaches the edge, waits, and cuts a connection. */
export interface World {
  state: SandboxState;
  readonly clock: Clock;
  /** The sandbox's own origin, for the addresses of its pages. */
  readonly origin: string;
  /** The edge's origin, where events go. */
  readonly edge: string;
  readonly eventSecrets: { readonly live: string; readonly test: string };
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Runs a task later, in milliseconds, without anybody waiting for it. */
  later(delay: number, task: () => Promise<void>): void;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** An id of the processor's look. */
export function randomId(prefix: string): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => ALPHABET[byte % ALPHABET.length]);
  return `${prefix}_${letters.join("")}`;
}

export function nowInSeconds(world: World): number {
  return Math.floor(world.clock.now() / 1000);
}

type NewObject = { object: string; livemode: boolean; id?: string } & Record<string, unknown>;

/** Stores a new object under an id of its kind, or the id that it brings. */
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
 * An object that must be there: whoever asks for a missing one made a mistake, and is told. With `livemode`, it must
 * also be of that environment, as for the holder of one of the two keys.
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

/** Does something later, unless the sandbox has been reset meanwhile. */
export function later(world: World, delay: number, task: () => Promise<void>): void {
  const { state } = world;
  world.later(delay, async () => {
    if (world.state === state) await task();
  });
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

/** An answer that says: there is to be none. The sandbox's host cuts the connection when it sees one. */
export function cutConnection(): Response {
  return new Response(null, { headers: { [CUT]: "1" } });
}

/** Whether an answer is one of those. */
export function isCut(response: Response): boolean {
  return response.headers.has(CUT);
}
