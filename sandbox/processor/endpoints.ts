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

/** A call of the processor's API: its address, the kind of its result, or of the entries of its result, and its answer. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly kind: Kind;
  readonly isList?: true;
  readonly answer: (call: Call) => object | Promise<object>;
}

const MAX_PER_PAGE = 100;

/** `POST <path>`, for what is made or changed. */
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

  function answer({ world, form, livemode }: Call) {
    const limit = limitOf(form);
    const all = listObjects(world, kind).filter(
      (object) => object.livemode === livemode && inPeriod(object, form) && fits(object, form, world),
    );
    const after = text(form, "starting_after");
    if (after !== null && findObject(world, after)?.object !== kind) {
      throw invalidRequest(`No such ${kind}: '${after}'`, "starting_after", "resource_missing");
    }
    const rest = after === null ? all : all.slice(all.findIndex(({ id }) => id === after) + 1);
    return { object: "list", url: `/v1${path}`, has_more: rest.length > limit, data: rest.slice(0, limit) };
  }
}

/** The size of a page, 10 unless it is given. @throws ProcessorError out of its range. */
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
