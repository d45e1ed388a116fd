import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { DatabaseSync } from "node:sqlite";

/**
 * A stand-in of the platform's API, as far as wrangler needs it to make what a deployment has, to migrate and to deploy. It
 * records the calls, keeps what was made, and runs migrations on real SQLite.
 */

export interface PlatformCall {
  readonly method: string;
  readonly path: string;
}

/** What happens to one changing call: it is refused without effect, or its effect is there and its answer is lost. */
export type Fault = "refused" | "lost";

/** An error as the platform's API answers it. */
class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface Script {
  readonly versions: string[];
  /** What the last upload binds. */
  bindings: { type: string; name: string; text?: string }[];
  readonly secrets: Set<string>;
  deployments: { readonly version_id: string; readonly percentage: number }[];
  crons: string[];
}

type Handler = (parts: readonly string[], body: string, query: URLSearchParams) => unknown;

/** The last of the Worker's Durable Object migrations, as wrangler.toml has it. */
const MIGRATION = "v1";

export const ACCOUNT = "0123456789abcdef0123456789abcdef";

export class Platform {
  readonly calls: PlatformCall[] = [];
  readonly databases = new Map<string, { readonly name: string; readonly region: string | undefined; readonly sql: DatabaseSync }>();
  readonly namespaces = new Map<string, string>();
  readonly buckets = new Set<string>();
  readonly queues = new Map<string, { readonly name: string; readonly consumers: object[] }>();
  readonly scripts = new Map<string, Script>();
  readonly domains = new Map<string, string>();
  /** The plan of the account; null if the login may not see it. */
  plan: string | null = "workers_paid";
  isLoggedIn = true;
  /** The zones of the account. */
  zones = ["shop.example", "staging.example"];
  /** Products that the account has not switched on. */
  readonly isOff = { r2: false, analytics: false };
  /** Whether the bucket has objects. */
  isFull = false;
  /** What the login may not ask for: a part of the path. */
  forbidden: string | null = null;
  #fault: { readonly fault: Fault; readonly which: RegExp } | null = null;
  readonly #failed = new Set<string>();
  #hasFailed = false;
  #server: Server | null = null;

  get url(): string {
    const address = this.#server?.address();
    if (address == null || typeof address === "string") throw new Error("the stand-in is not started");
    return `http://localhost:${address.port}`;
  }

  /**
   * From now on, the first call fails that makes or changes something and has never failed: one in each run, until all have
   * failed once. `which` chooses among them.
   */
  failOnceEach(fault: Fault, which = /./): void {
    this.#fault = { fault, which };
  }

  /** Whether a call has failed since the last time that this was asked. */
  hasFailed(): boolean {
    const has = this.#hasFailed;
    this.#hasFailed = false;
    return has;
  }

  #faultOf(method: string, path: string, body: string): Fault | null {
    if (this.#fault === null || this.#hasFailed || !isChange(method, path, body)) return null;
    const name = /"(?:name|title|queue_name)":\s*"([^"]+)"/.exec(body)?.[1] ?? "";
    const call = path.endsWith("/query") || path.includes("/scripts/") ? `${method} ${path}` : `${method} ${path} ${name}`;
    if (this.#failed.has(call) || !this.#fault.which.test(call)) return null;
    this.#failed.add(call);
    this.#hasFailed = true;
    return this.#fault.fault;
  }

  start(): Promise<void> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    return new Promise((started) => this.#server?.listen(0, "localhost", started));
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "", "http://platform");
    const [method, path] = [request.method ?? "GET", url.pathname];
    this.calls.push({ method, path });
    const body = Buffer.concat(chunks).toString("utf8");
    const fault = this.#faultOf(method, path, body);
    if (fault === "refused")
      return send(response, 403, { success: false, errors: [{ code: 9999, message: "refused by the test" }], messages: [], result: null });
    try {
      const result = this.#result(method, path, body, url.searchParams);
      if (fault === "lost") return void request.socket.destroy();
      // All is on the first page.
      if (Number(url.searchParams.get("page") ?? 1) > 1)
        return send(response, 200, { success: true, errors: [], messages: [], result: [] });
      const count = Array.isArray(result) ? result.length : 1;
      send(response, 200, {
        success: true,
        errors: [],
        messages: [],
        result,
        result_info: { page: 1, per_page: 1000, count, total_count: count, total_pages: 1 },
      });
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : new ApiError(500, 1, String(thrown));
      send(response, error.status, { success: false, errors: [{ code: error.code, message: error.message }], messages: [], result: null });
    }
  }

  #result(method: string, path: string, body: string, query: URLSearchParams): unknown {
    if (!this.isLoggedIn) throw new ApiError(401, 10_000, "Authentication error");
    if (this.forbidden !== null && path.includes(this.forbidden)) throw new ApiError(403, 10_000, "Authentication error");
    for (const [route, handler] of this.#routes) {
      const [wantedMethod = "", pattern = ""] = route.split(" ");
      const found = new RegExp(`^${pattern.replaceAll("*", "([^/]+)")}$`).exec(path);
      if (wantedMethod === method && found !== null) return handler(found.slice(1).map(decodeURIComponent), body, query);
    }
    throw new ApiError(404, 7_003, `the stand-in has no ${method} ${path}`);
  }

  readonly #routes: readonly [string, Handler][] = [
    ["GET /user/tokens/verify", () => ({ id: "token", status: "active" })],
    ["GET /user", () => ({ id: "user", email: "operator@example.com" })],
    ["GET /accounts", () => [{ id: ACCOUNT, name: "The Company" }]],
    ["GET /memberships", () => [{ id: "m", account: { id: ACCOUNT, name: "The Company" } }]],
    [
      "GET /accounts/*/subscriptions",
      () => {
        if (this.plan === null) throw new ApiError(403, 9_109, "Unauthorized");
        return [{ id: "s", rate_plan: { id: this.plan } }];
      },
    ],
    ["GET /zones", () => this.zones.map((name) => ({ id: name, name }))],
    [
      "GET /accounts/*/analytics_engine/sql",
      () => {
        if (this.isOff.analytics) throw new ApiError(403, 10_089, "You need to enable Analytics Engine.");
        return [];
      },
    ],
    [
      "GET /accounts/*/r2/buckets",
      () => {
        if (this.isOff.r2) throw new ApiError(403, 10_042, "Please enable R2 through the Cloudflare Dashboard.");
        return { buckets: [...this.buckets].map((name) => ({ name })) };
      },
    ],
    ["GET /accounts/*/d1/database", () => [...this.databases].map(([uuid, { name }]) => ({ uuid, name }))],
    [
      "POST /accounts/*/d1/database",
      (_parts, body) => {
        const { name, primary_location_hint } = JSON.parse(body) as { name: string; primary_location_hint?: string };
        if ([...this.databases.values()].some((one) => one.name === name))
          throw new ApiError(400, 7_502, "a database with that name already exists");
        const uuid = crypto.randomUUID();
        this.databases.set(uuid, { name, region: primary_location_hint, sql: new DatabaseSync(":memory:") });
        return { uuid, name, created_in_region: primary_location_hint };
      },
    ],
    ["GET /accounts/*/d1/database/*", ([, id = ""]) => ({ uuid: id, name: this.databases.get(id)?.name, version: "production" })],
    ["POST /accounts/*/d1/database/*/query", ([, id = ""], body) => this.#query(id, body)],
    ["GET /accounts/*/storage/kv/namespaces", () => [...this.namespaces].map(([id, title]) => ({ id, title }))],
    [
      "POST /accounts/*/storage/kv/namespaces",
      (_parts, body) => {
        const { title } = JSON.parse(body) as { title: string };
        if ([...this.namespaces.values()].includes(title))
          throw new ApiError(400, 10_014, "a namespace with this account ID and title already exists");
        const id = crypto.randomUUID().replaceAll("-", "");
        this.namespaces.set(id, title);
        return { id, title };
      },
    ],
    [
      "GET /accounts/*/r2/buckets/*",
      ([, name = ""]) => {
        if (!this.buckets.has(name)) throw new ApiError(404, 10_006, "The specified bucket does not exist.");
        return { name, creation_date: "2026-11-22T00:00:00.000Z", location: "WEUR", storage_class: "Standard" };
      },
    ],
    [
      "POST /accounts/*/r2/buckets",
      (_parts, body) => {
        const { name } = JSON.parse(body) as { name: string };
        if (this.buckets.has(name)) throw new ApiError(409, 10_004, "The bucket you tried to create already exists, and you own it.");
        this.buckets.add(name);
        return { name };
      },
    ],
    ["POST /graphql", () => ({ data: { viewer: { accounts: [{}] } } })],
    [
      "GET /accounts/*/queues",
      (_parts, _body, query) =>
        [...this.queues]
          .filter(([, { name }]) => (query.get("name") ?? name) === name)
          .map(([id, { name, consumers }]) => queueOf(id, name, consumers)),
    ],
    [
      "POST /accounts/*/queues",
      (_parts, body) => {
        const { queue_name: name } = JSON.parse(body) as { queue_name: string };
        if ([...this.queues.values()].some((one) => one.name === name)) throw new ApiError(409, 11_009, "Queue name already taken");
        const id = crypto.randomUUID().replaceAll("-", "");
        this.queues.set(id, { name, consumers: [] });
        return queueOf(id, name, []);
      },
    ],
    ["GET /accounts/*/queues/*/consumers", ([, id = ""]) => this.queues.get(id)?.consumers ?? []],
    [
      "POST /accounts/*/queues/*/consumers",
      ([, id = ""], body) => {
        const sent = JSON.parse(body) as { script_name: string };
        const consumer = { ...sent, script: sent.script_name, service: sent.script_name, consumer_id: crypto.randomUUID() };
        this.queues.get(id)?.consumers.push(consumer);
        return consumer;
      },
    ],
    [
      "GET /accounts/*/workers/scripts/*/secrets",
      ([, name = ""]) => [...this.#script(name).secrets].map((secret) => ({ name: secret, type: "secret_text" })),
    ],
    ["GET /accounts/*/workers/domains", () => [...this.domains].map(([hostname, service]) => ({ hostname, service }))],
    ["GET /accounts/*/workers/scripts", () => [...this.scripts.keys()].map((id) => ({ id, migration_tag: MIGRATION }))],
    [
      "GET /accounts/*/workers/services/*",
      ([, name = ""]) => {
        this.#script(name);
        return {
          id: name,
          default_environment: { script: { id: name, tag: "t", migration_tag: MIGRATION, last_deployed_from: "wrangler" } },
        };
      },
    ],
    [
      "PUT /accounts/*/workers/scripts/*",
      ([, name = ""], body) => {
        const script = this.scripts.get(name) ?? { versions: [], bindings: [], secrets: new Set<string>(), deployments: [], crons: [] };
        this.scripts.set(name, script);
        const version = this.#addVersion(script, body);
        script.deployments = [{ version_id: version.id, percentage: 100 }];
        return version;
      },
    ],
    [
      "GET /accounts/*/workers/scripts/*/versions/*",
      ([, , id = ""]) => ({
        id,
        metadata: { source: "wrangler", created_on: "2026-11-22T00:00:00Z", author_email: "operator@example.com" },
        annotations: {},
        resources: { script: { etag: id, handlers: ["fetch"], last_deployed_from: "wrangler" }, script_runtime: {}, bindings: [] },
      }),
    ],
    ["PATCH /accounts/*/workers/scripts/*/script-settings", (_parts, body) => JSON.parse(body) as object],
    ["POST /accounts/*/workers/scripts/*/versions", ([, name = ""], body) => this.#addVersion(this.#script(name), body)],
    [
      "GET /accounts/*/workers/scripts/*/deployments",
      ([, name = ""]) => ({
        deployments: [
          {
            id: "d",
            source: "wrangler",
            strategy: "percentage",
            author_email: "operator@example.com",
            created_on: "2026-11-22T00:00:00Z",
            annotations: {},
            versions: this.#script(name).deployments,
          },
        ],
      }),
    ],
    [
      "POST /accounts/*/workers/scripts/*/deployments",
      ([, name = ""], body) => {
        this.#script(name).deployments = (JSON.parse(body) as { versions: Script["deployments"] }).versions;
        return { id: crypto.randomUUID() };
      },
    ],
    ["POST /accounts/*/workers/scripts/*/assets-upload-session", () => ({ jwt: "uploaded", buckets: [] })],
    [
      "GET /accounts/*/workers/workers/*",
      ([, name = ""]) => ({
        id: name,
        name,
        subdomain: { enabled: false, previews_enabled: false },
        observability: { enabled: true },
        tags: [],
      }),
    ],
    ["PATCH /accounts/*/workers/workers/*", ([, name = ""], body) => ({ id: name, name, ...(JSON.parse(body) as object) })],
    ["GET /accounts/*/workers/scripts/*/subdomain", () => ({ enabled: false, previews_enabled: false })],
    ["POST /accounts/*/workers/scripts/*/subdomain", () => ({ enabled: false, previews_enabled: false })],
    [
      "PUT /accounts/*/workers/scripts/*/schedules",
      ([, name = ""], body) => {
        this.#script(name).crons = (JSON.parse(body) as { cron: string }[]).map(({ cron }) => cron);
        return { schedules: JSON.parse(body) as object };
      },
    ],
    ["POST /accounts/*/workers/scripts/*/domains/changeset", () => ({ added: [], removed: [], updated: [], conflicting: [] })],
    [
      "PUT /accounts/*/workers/scripts/*/domains/records",
      ([, name = ""], body) => {
        // What the configuration does not name is taken off.
        for (const [hostname, service] of this.domains) if (service === name) this.domains.delete(hostname);
        for (const { hostname } of (JSON.parse(body) as { origins: { hostname: string }[] }).origins) this.domains.set(hostname, name);
        return [];
      },
    ],
    ["GET /accounts/*/workers/scripts/*/settings", ([, name = ""]) => ({ bindings: this.#script(name).bindings })],
    ["GET /accounts/*/workers/scripts/*/schedules", ([, name = ""]) => ({ schedules: this.#script(name).crons.map((cron) => ({ cron })) })],
    [
      "DELETE /accounts/*/workers/services/*",
      ([, name = ""]) => {
        this.#script(name);
        this.scripts.delete(name);
        for (const [hostname, service] of this.domains) if (service === name) this.domains.delete(hostname);
        return null;
      },
    ],
    ["DELETE /accounts/*/d1/database/*", ([, id = ""]) => void this.databases.delete(id)],
    ["DELETE /accounts/*/storage/kv/namespaces/*", ([, id = ""]) => void this.namespaces.delete(id)],
    [
      "DELETE /accounts/*/r2/buckets/*",
      ([, name = ""]) => {
        if (this.isFull) throw new ApiError(409, 10_008, "The bucket you tried to delete is not empty.");
        this.buckets.delete(name);
        return {};
      },
    ],
    ["DELETE /accounts/*/queues/*", ([, id = ""]) => void this.queues.delete(id)],
    ["PUT /accounts/*/queues/*/consumers/*", (_parts, body) => JSON.parse(body) as object],
  ];

  /** A version of the Worker, from the parts of an upload; its secrets stay those of the versions before, and new ones are added. */
  #addVersion(script: Script, body: string): { readonly id: string; readonly [detail: string]: unknown } {
    const id = crypto.randomUUID();
    script.versions.push(id);
    const [, metadata = "{}"] = /name="metadata"[^{]*({.*})\r?\n--/.exec(body) ?? [];
    script.bindings = (JSON.parse(metadata) as Partial<Pick<Script, "bindings">>).bindings ?? [];
    for (const [, secret = ""] of body.matchAll(/"name":"(\w+)","type":"secret_text"|"type":"secret_text","name":"(\w+)"/g))
      script.secrets.add(secret);
    return {
      id,
      version_id: id,
      deployment_id: id,
      startup_time_ms: 20,
      etag: id,
      metadata: { has_preview: false },
      resources: { script: { etag: id }, bindings: [] },
    };
  }

  #script(name: string): Script {
    const found = this.scripts.get(name);
    if (found === undefined) throw new ApiError(404, 10_007, "This Worker does not exist on your account.");
    return found;
  }

  /** Runs SQL as D1 does: each statement in turn, all of them or none. */
  #query(id: string, body: string): unknown {
    const database = this.databases.get(id)?.sql;
    if (database === undefined) throw new ApiError(404, 7_404, "The database could not be found");
    const { sql } = JSON.parse(body) as { sql: string };
    database.exec("BEGIN");
    try {
      const isQuestion = sql.trim().startsWith("SELECT");
      const results = isQuestion ? database.prepare(sql).all() : [];
      if (!isQuestion) database.exec(sql);
      database.exec("COMMIT");
      return [{ results, success: true, meta: { duration: 0, changes: 0 } }];
    } catch (thrown) {
      database.exec("ROLLBACK");
      throw new ApiError(400, 7_500, thrown instanceof Error ? thrown.message : "failed");
    }
  }
}

/** Whether a call makes or changes something at the platform. */
function isChange(method: string, path: string, body: string): boolean {
  if (method === "GET" || /assets-upload-session$|changeset$/.test(path)) return false;
  return !path.endsWith("/query") || /CREATE TABLE `/.test(body);
}

function queueOf(id: string, name: string, consumers: readonly object[]) {
  return {
    queue_id: id,
    queue_name: name,
    created_on: "2026-11-22T00:00:00Z",
    modified_on: "2026-11-22T00:00:00Z",
    producers: [],
    producers_total_count: 0,
    consumers,
    consumers_total_count: consumers.length,
    settings: { delivery_delay: 0, message_retention_period: 345_600 },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
