import { Hono } from "hono";
import * as z from "zod";
import { body, Mistake } from "./control-body.ts";
import { addObject, findObject, type World } from "./world.ts";

const environmentSchema = z.enum(["live", "test"]);

/** Where the ids of hidden objects are kept, in the order of their creation. */
const hiddenKind = (kind: string) => `hidden ${kind}`;

/** `/control/objects/…` and `/control/events/drop`: states that no customer, merchant or bank can bring about on purpose. */
export function objectControl(world: World): Hono {
  const app = new Hono();
  app.post("/objects/change", body(z.object({ id: z.string(), fields: z.record(z.string(), z.unknown()) })), (context) => {
    const { id, fields } = context.get("body");
    return context.json(Object.assign(objectOf(world, id), fields));
  });
  app.post(
    "/objects/copy",
    body(z.object({ id: z.string(), as: z.string(), fields: z.record(z.string(), z.unknown()).default({}) })),
    (context) => {
      const { id, as, fields } = context.get("body");
      if (findObject(world, as) !== undefined) throw new Mistake(`there is an object ${as} already`);
      return context.json(addObject(world, "", { ...objectOf(world, id), ...fields, id: as }));
    },
  );
  app.post("/objects/delete", body(z.object({ id: z.string() })), (context) => {
    const { id } = objectOf(world, context.get("body").id);
    delete world.state.objects[id];
    return context.json({ id, deleted: true });
  });
  app.post("/objects/hide", body(z.object({ kind: z.string(), hidden: z.boolean().default(true) })), (context) => {
    const { kind, hidden } = context.get("body");
    const { order } = world.state;
    const [from, to] = hidden ? [kind, hiddenKind(kind)] : [hiddenKind(kind), kind];
    order[to] = [...(order[hiddenKind(kind)] ?? []), ...(order[kind] ?? [])];
    order[from] = [];
    return context.json({ kind, hidden, count: order[to].length });
  });
  app.post(
    "/events/drop",
    body(z.object({ environment: environmentSchema, keep: z.array(z.string()).optional(), first: z.int().nonnegative().optional() })),
    (context) => {
      const { environment, keep, first } = context.get("body");
      const settings = world.state.events[environment];
      const kept = settings.held.filter((id) => keep === undefined || keep.includes(String(findObject(world, id)?.type)));
      settings.held = kept.slice(0, first ?? (keep === undefined ? 0 : kept.length));
      return context.json({ held: settings.held.length });
    },
  );
  app.post("/events/held", body(z.object({ environment: environmentSchema, ids: z.array(z.string()) })), (context) => {
    const { environment, ids } = context.get("body");
    world.state.events[environment].held = ids;
    return context.json({ held: ids.length });
  });
  app.post("/keys/fail", body(z.object({ environment: environmentSchema, key: z.string() })), (context) => {
    const { environment, key } = context.get("body");
    const stored = world.state.keys[`${environment} ${key}`];
    if (stored === undefined) throw new Mistake(`there is no idempotency key ${key}`);
    return context.json(Object.assign(stored, { status: 500, body: '{"error":{"type":"api_error","message":"failed"}}' }));
  });
  return app;
}

function objectOf(world: World, id: string) {
  const found = findObject(world, id);
  if (found === undefined) throw new Mistake(`there is no object ${id}`);
  return found;
}
