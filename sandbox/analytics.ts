import { type Context, Hono } from "hono";
import { SECOND } from "../src/core/clock.ts";
import type { World } from "./world.ts";

/** Points that are kept: a developer opens few links. */
const MOST_POINTS = 10_000;

/** The one statement that the edge asks, in the platform's SQL. */
const QUERY =
  /^SELECT index1 AS slug, SUM\(_sample_interval\) AS opens FROM (\w+)\nWHERE timestamp >= toDateTime\((\d+)\) AND timestamp < toDateTime\((\d+)\) AND index1 > '(\w*)'\nGROUP BY slug ORDER BY slug LIMIT (\d+) FORMAT JSON$/;

/** `POST /analytics/<dataset>/<slug>`: a point, which the platform would get by a binding. */
export function analyticsPoints(world: World): Hono {
  return new Hono().post("/:dataset/:slug", (context) => {
    const { dataset, slug } = context.req.param();
    world.state.points.push({ dataset, slug, at: world.clock.now() });
    world.state.points.splice(0, Math.max(0, world.state.points.length - MOST_POINTS));
    return context.body(null, 204);
  });
}

/** The platform's address for queries of Analytics Engine. It answers the edge's own statement, and refuses any other. */
export function analyticsApi(world: World): Hono {
  return new Hono().post("/client/v4/accounts/:account/analytics_engine/sql", (context) => answer(world, context));
}

async function answer({ state }: World, context: Context): Promise<Response> {
  if (!/^Bearer \S/.test(context.req.header("Authorization") ?? "")) return context.text("Authentication error", 403);
  const [, dataset, from, to, after = "", limit] = QUERY.exec(await context.req.text()) ?? [];
  if (dataset === undefined) return context.text("the sandbox does not know this statement", 422);
  const inPeriod = (at: number) => at >= Number(from) * SECOND && at < Number(to) * SECOND;
  const found = state.points.filter((point) => point.dataset === dataset && inPeriod(point.at) && point.slug > after);
  const sums = [...Map.groupBy(found, ({ slug }) => slug)].map(([slug, points]) => ({ slug, opens: String(points.length) }));
  const data = sums.toSorted((one, other) => (one.slug < other.slug ? -1 : 1)).slice(0, Number(limit));
  return context.json({ meta: [], data, rows: data.length });
}
