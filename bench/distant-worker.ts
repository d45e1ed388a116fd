import type { Bindings } from "../src/env.ts";
import worker from "../src/worker.ts";

export { CellSweeper } from "../src/cell-sweeper.ts";
export { OperationObject } from "../src/operation-object.ts";

/**
 * The Worker far from its databases, as it is for a partner on the other side of the world: each trip of the edge to a
 * database or to an object takes so many milliseconds more. The objects are beside the databases, so their trips do not.
 */
let delay = 0;

const wait = () => (delay === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, delay)));

type Method = (...given: unknown[]) => Promise<unknown>;

/** Lets methods of one object of the platform take longer. */
function slow<Own extends object>(own: Own, names: readonly string[]): Own {
  const methods = own as Record<string, Method>;
  for (const name of names) {
    const original = methods[name];
    if (original === undefined) throw new Error(`the binding has no method ${name}`);
    methods[name] = async (...given) => {
      await wait();
      return original.apply(own, given);
    };
  }
  return own;
}

function farStatement(statement: D1PreparedStatement): D1PreparedStatement {
  const bind = statement.bind.bind(statement);
  statement.bind = (...values: unknown[]) => farStatement(bind(...values));
  return slow(statement, ["first", "run", "all", "raw"]);
}

const farDatabase = (database: D1Database): D1Database =>
  ({
    prepare: (sql: string) => farStatement(database.prepare(sql)),
    async batch(statements: D1PreparedStatement[]) {
      await wait();
      return database.batch(statements);
    },
  }) as unknown as D1Database;

const farObjects = (objects: Bindings["OPERATIONS"]): Bindings["OPERATIONS"] =>
  ({
    idFromName: (name: string) => objects.idFromName(name),
    get(id: DurableObjectId) {
      const object = objects.get(id);
      return {
        async handle(asked: Parameters<typeof object.handle>[0]) {
          await wait();
          return object.handle(asked);
        },
        async stillStands(record: Parameters<typeof object.stillStands>[0]) {
          await wait();
          return object.stillStands(record);
        },
      };
    },
  }) as unknown as Bindings["OPERATIONS"];

/** The same for all requests: the Worker builds what it needs once for its bindings. */
let far: Bindings | undefined;

function farFrom(bindings: Bindings): Bindings {
  far ??= {
    ...bindings,
    DIRECTORY: farDatabase(bindings.DIRECTORY),
    CELL_1: farDatabase((bindings as unknown as { readonly CELL_1: D1Database }).CELL_1),
    OPERATIONS: farObjects(bindings.OPERATIONS),
  };
  return far;
}

export default {
  fetch(request, bindings, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/bench/distance") return worker.fetch(request, farFrom(bindings), context);
    delay = Number(searchParams.get("ms"));
    return new Response("set");
  },
  queue: (batch, bindings, context) => worker.queue(batch, bindings, context),
} satisfies ExportedHandler<Bindings>;
