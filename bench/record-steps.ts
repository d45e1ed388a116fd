import { buildServe } from "../src/app.ts";
import { buildDeps } from "../src/build-deps.ts";
import { cellCodeOf, DIRECTORY } from "../src/core/cell-code.ts";
import { requireMigrations } from "../src/db/migrations.ts";
import type { Bindings } from "../src/env.ts";
import type { KeyRequest } from "../src/idempotency/answer.ts";
import { KeyRunners } from "../src/runners/key-runners.ts";
import { processBatch } from "../src/runners/queues.ts";

/** The steps of one request in order, with their original texts (`steps.ts`). */
export interface Recorded {
  readonly edge: object[];
  readonly object: object[];
  readonly consumer: object[];
}

/** Answers calls of processor and bank. */
type Upstream = (request: Request) => Promise<Response>;

/** The hosts of the product's upstream calls; it calls no others. */
const UPSTREAM_HOSTS = /^(?:processor|bank)\.example$/;

/**
 * Runs one request of the product in this process, on the runtime's own stores, and records its steps on them and
 * upstream. The key's object runs in this process too; queue messages are consumed at the end.
 * @throws if the product does not succeed.
 */
export async function record(bindings: Bindings, upstream: Upstream, request: Request): Promise<Recorded> {
  const recorded: Recorded = { edge: [], object: [], consumer: [] };
  let place: keyof Recorded = "edge";
  const note = (step: object) => void recorded[place].push(step);
  const messages: { readonly queue: string; readonly body: unknown }[] = [];
  const queue = (name: string) => ({
    async sendBatch(sent: readonly { readonly body: unknown }[]) {
      note({ to: "queue" });
      messages.push(...sent.map(({ body }) => ({ queue: name, body })));
    },
  });
  // An isolate only asks this before its first write, so it is not part of a request.
  await requireMigrations(bindings.DIRECTORY, DIRECTORY)(true);
  await requireMigrations(bindings.CELL_1, cellCodeOf(1))(true);
  const deps = buildDeps({
    ...bindings,
    DIRECTORY: watchedDatabase("DIRECTORY", bindings.DIRECTORY, note),
    CELL_1: watchedDatabase("CELL_1", bindings.CELL_1, note),
    SHORT_LINKS: watchedStore("kv", bindings.SHORT_LINKS, note),
    SNAPSHOTS: watchedStore("r2", bindings.SNAPSHOTS, note),
    DELIVERIES: queue("deliveries"),
    PROCESSOR_EVENTS: queue("processor-events"),
    OPERATIONS: {
      idFromName: (name: string) => name,
      get: () => ({
        async handle(asked: KeyRequest) {
          place = "object";
          return new KeyRunners(deps).handle(asked);
        },
      }),
    },
  } as unknown as Bindings);
  const { log } = console;
  const ownFetch = globalThis.fetch;
  // The product's log lines would stand between the results.
  console.log = () => undefined;
  globalThis.fetch = async (input, init) => {
    const call = new Request(input, init);
    const { hostname } = new URL(call.url);
    if (!UPSTREAM_HOSTS.test(hostname)) return ownFetch(input, init);
    const body = call.method === "GET" ? null : await call.clone().text();
    const response = await upstream(call);
    note({ to: "fetch", method: call.method, url: call.url, body, answer: await response.clone().text() });
    return response;
  };
  try {
    const execution = { waitUntil: () => undefined, passThroughOnException: () => undefined } as unknown as ExecutionContext;
    const answer = await buildServe(deps)(request, execution);
    const text = await answer.text();
    if (answer.status !== 200 || text.includes('"success":false')) throw new Error(`${request.url} answered ${answer.status}: ${text}`);
    place = "consumer";
    for (const { queue: name, body } of messages.splice(0)) {
      const message = { body, ack: () => undefined, retry: () => undefined };
      await processBatch(deps, { queue: name, messages: [message] } as unknown as MessageBatch, () => undefined);
    }
    return recorded;
  } finally {
    globalThis.fetch = ownFetch;
    console.log = log;
  }
}

type Note = (step: object) => void;

/** A statement as it was built. Calls are passed to the database's own statement. */
class Watched {
  readonly own: D1PreparedStatement;
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly note: (statements: readonly Watched[]) => void;

  constructor(own: D1PreparedStatement, sql: string, values: readonly unknown[], note: (statements: readonly Watched[]) => void) {
    this.own = own;
    this.sql = sql;
    this.values = values;
    this.note = note;
  }

  bind(...values: unknown[]): Watched {
    return new Watched(this.own.bind(...values), this.sql, values, this.note);
  }

  run(): Promise<D1Result> {
    this.note([this]);
    return this.own.run();
  }

  all(): Promise<D1Result> {
    this.note([this]);
    return this.own.all();
  }

  raw(): Promise<unknown[]> {
    this.note([this]);
    return this.own.raw();
  }

  first(): Promise<unknown> {
    this.note([this]);
    return this.own.first();
  }
}

function watchedDatabase(database: string, own: D1Database, note: Note): D1Database {
  const noteAll = (statements: readonly Watched[]) =>
    note({ to: "d1", database, statements: statements.map(({ sql, values }) => ({ sql, values })) });
  return {
    prepare: (sql: string) => new Watched(own.prepare(sql), sql, [], noteAll),
    batch(statements: readonly Watched[]) {
      noteAll(statements);
      return own.batch(statements.map((statement) => statement.own));
    },
  } as unknown as D1Database;
}

function watchedStore(kind: "kv" | "r2", own: KVNamespace | R2Bucket, note: Note): never {
  return {
    get(key: string, options: never) {
      note({ to: `${kind}.get`, key });
      return (own as KVNamespace).get(key, options);
    },
    put(key: string, value: string | ArrayBuffer | Uint8Array, options: never) {
      note({ to: `${kind}.put`, key, value: typeof value === "string" ? value : "x".repeat(value.byteLength) });
      return own.put(key, value, options);
    },
  } as never;
}
