import type { ProcessorObject } from "../state.ts";
import { findObject, getObject, listObjects, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, text } from "./form.ts";
import type { OBJECTS } from "./shape-roots.ts";

interface Call {
  readonly world: World;
  readonly form: Form;
  readonly livemode: boolean;
  readonly id: string;
}

type Kind = keyof typeof OBJECTS;

/** A call of the processor's API: its path, the kind of its result or of the result's entries, and its handler. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly kind: Kind;
  readonly isList?: true;
  readonly answer: (call: Call) => object | Promise<object>;
}

const MAX_PER_PAGE = 100;

/** `POST <path>`, for creations and changes. */
export const post = (path: string, kind: Kind, answer: Endpoint["answer"]): Endpoint => ({ method: "POST", path, kind, answer });

/** `DELETE <path>/:id`. */
export const remove = (path: string, kind: Kind, answer: Endpoint["answer"]): Endpoint => ({
  method: "DELETE",
  path: `${path}/:id`,
  kind,
  answer,
});

/** `GET <path>/:id`. */
export const retrieve = (path: string, kind: Kind): Endpoint => ({
  method: "GET",
  path: `${path}/:id`,
  kind,
  answer: ({ world, id, livemode }) => getObject(world, kind, id, livemode),
});

/** `GET <path>`: a page of a list, filtered. */
export function page(
  path: string,
  kind: Kind,
  fits: (object: ProcessorObject, form: Form, world: World) => boolean = () => true,
): Endpoint {
  return { method: "GET", path, kind, isList: true, answer };

  function cursorOf(world: World, form: Form, name: "starting_after" | "ending_before"): string | null {
    const id = text(form, name);
    if (id !== null && findObject(world, id)?.object !== kind) {
      throw invalidRequest(`No such ${kind}: '${id}'`, name, "resource_missing");
    }
    return id;
  }

  function answer({ world, form, livemode }: Call) {
    const limit = limitOf(form);
    const all = listObjects(world, kind).filter(
      (object) => object.livemode === livemode && inPeriod(object, form) && fits(object, form, world),
    );
    const after = cursorOf(world, form, "starting_after");
    const before = cursorOf(world, form, "ending_before");
    if (after !== null && before !== null) throw invalidRequest("You can not use both starting_after and ending_before.", "ending_before");
    const at = all.findIndex(({ id }) => id === (after ?? before));
    // `ending_before` returns the page right before an object: the next newer ones.
    const rest = before === null ? all.slice(at + 1) : all.slice(0, Math.max(at, 0));
    const data = before === null ? rest.slice(0, limit) : rest.slice(-limit);
    return { object: "list", url: `/v1${path}`, has_more: rest.length > limit, data };
  }
}

/** The page size, default 10. @throws ProcessorError if it is out of range. */
export function limitOf(form: Form): number {
  const limit = integer(form, "limit") ?? 10;
  if (limit < 1) throw invalidRequest("This value must be greater than or equal to 1.", "limit");
  if (limit > MAX_PER_PAGE) throw invalidRequest(`This value must be less than or equal to ${MAX_PER_PAGE}.`, "limit");
  return limit;
}

function inPeriod(object: ProcessorObject, form: Form): boolean {
  const created = branch(form, "created");
  return object.created >= (integer(created, "gte") ?? 0) && object.created <= (integer(created, "lte") ?? Number.MAX_SAFE_INTEGER);
}
