import { DurableObject } from "cloudflare:workers";
import type { Recording, Step, Text, Value } from "./steps.ts";

/**
 * The minimum that the platform itself needs: the same reads, writes and calls as the product's, with the least code
 * around them. It checks nothing, so it is not a service. It stands alone, because its types are stripped and nothing
 * is bundled.
 */
interface Env {
  readonly DIRECTORY: D1Database;
  readonly CELL_1: D1Database;
  readonly SHORT_LINKS: KVNamespace;
  readonly SNAPSHOTS: R2Bucket;
  readonly KEYS: DurableObjectNamespace<ReferenceKey>;
  readonly EVENTS: Queue<{ readonly name: string; readonly suffix: string }>;
  readonly PRODUCT: Consumer;
}

const KEY = `SELECT k.partner_id, k.revoked_at, p.status, p.cell, e.status, (SELECT json_group_array(permission) FROM api_key_permissions WHERE key_hash = k.key_hash) AS permissions FROM api_keys k JOIN partners p ON p.id = k.partner_id LEFT JOIN employees e ON e.id = k.employee_id WHERE k.key_hash = ?`;
const LIST = "SELECT * FROM movements WHERE partner_id = ? AND environment = ? ORDER BY transaction_date DESC, id DESC LIMIT ?";

const CHECKOUT = "https://checkout.example/pay/0123456789abcdef0123456789abcdef";

/** A Worker that receives the messages of a queue from another one. */
interface Consumer {
  queue(name: string, messages: readonly Omit<Message, "ack" | "retry">[]): Promise<unknown>;
}

/**
 * The product's steps, by comparison name. The objects share them with the handler, because they run in one isolate.
 */
const recordings = new Map<string, Recording>();

/** Repeats the steps of a request, with ids that end with the suffix. */
async function replay(env: Env, steps: readonly Step[], name: string, suffix: string): Promise<void> {
  const textOf = (text: Text) => text.join(suffix);
  const bound = (value: Value) => {
    if (typeof value !== "object" || value === null) return value;
    return "above" in value ? value.above + Number(suffix) : value.join(suffix);
  };
  for (const step of steps) {
    switch (step.to) {
      case "d1": {
        const database = step.database === "DIRECTORY" ? env.DIRECTORY : env.CELL_1;
        await database.batch(step.statements.map(({ sql, values }) => database.prepare(sql).bind(...values.map(bound))));
        break;
      }
      case "kv.get":
        await env.SHORT_LINKS.get(textOf(step.key));
        break;
      case "kv.put":
        await env.SHORT_LINKS.put(textOf(step.key), textOf(step.value));
        break;
      case "r2.get":
        await (await env.SNAPSHOTS.get(textOf(step.key)))?.text();
        break;
      case "r2.put":
        await env.SNAPSHOTS.put(textOf(step.key), textOf(step.value));
        break;
      case "queue":
        await env.EVENTS.send({ name, suffix });
        break;
      case "fetch": {
        const { method, url, body } = step;
        await (await fetch(textOf(url), { method, ...(body === null ? {} : { body: textOf(body) }) })).text();
      }
    }
  }
}

/** The Durable Object of a key: the same steps as the product's, without upstream calls. */
export class ReferenceKey extends DurableObject<Env> {
  #result: string | null = null;

  async create(name: string, suffix: string, result: string): Promise<string> {
    await replay(this.env, (recordings.get(name)?.object ?? []).filter(isNoCall), name, suffix);
    this.#result = result;
    return result;
  }

  repeat(): string {
    return this.#result ?? "{}";
  }
}

const isNoCall = (step: Step) => step.to !== "fetch";

/** Batches of messages for the product's consumer, in the order of their queue. */
interface Batches {
  readonly databaseName: string;
  readonly batches: readonly (readonly string[])[];
  readonly atOnce: number;
}

/** Bodies to be signed and sent to each endpoint in turn. */
interface Deliveries {
  readonly endpoints: readonly { readonly url: string; readonly secret: string }[];
  readonly body: string;
  readonly count: number;
  readonly atOnce: number;
}

/** Runs this many tasks, some in parallel. */
async function doAll(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const go = async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, go));
}

const encoder = new TextEncoder();

async function signAndSend({ url, secret }: { readonly url: string; readonly secret: string }, id: string, body: string): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1000);
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(`${id}.${timestamp}.${body}`)));
  const signature = [...signed].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const headers = { "Content-Type": "application/json", "Service-Event-Id": id, "Service-Signature": `v1,${signature}` };
  await (await fetch(url, { method: "POST", headers, body })).text();
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const [, what = "", id = "", suffix = ""] = pathname.split("/");
    switch (what) {
      case "bare":
        return new Response(null, { status: 302, headers: { Location: CHECKOUT } });
      case "kv":
        return new Response(null, { status: 302, headers: { Location: (await env.SHORT_LINKS.get(id)) ?? "" } });
      case "list": {
        await env.DIRECTORY.prepare(KEY).bind(searchParams.get("key")).all();
        const limit = Number(id);
        const statements = ["live", "test"].map((environment) => env.CELL_1.prepare(LIST).bind("acme", environment, limit));
        const found = await env.CELL_1.batch(statements);
        return Response.json({ success: true, transactions: found.flatMap(({ results }) => results).slice(0, limit) });
      }
      case "recordings":
        recordings.set(id, await request.json());
        return new Response("known");
      case "answers":
        // Only fetch is used for the upstream.
        return fetch("https://processor.example/answers", { method: "POST", body: await request.text() });
      case "create": {
        const body = await request.text();
        await replay(env, recordings.get(id)?.edge ?? [], id, suffix);
        return new Response(await env.KEYS.get(env.KEYS.idFromName(suffix)).create(id, suffix, body));
      }
      case "repeat": {
        await env.DIRECTORY.prepare(KEY).bind(searchParams.get("key")).all();
        return new Response(await env.KEYS.get(env.KEYS.idFromName(id)).repeat());
      }
      case "event":
        await request.text();
        await replay(env, recordings.get(id)?.edge ?? [], id, suffix);
        return new Response("received");
      case "batches": {
        const { databaseName, batches, atOnce }: Batches = await request.json();
        await doAll(batches.length, atOnce, async (index) => {
          const ids = batches[index] ?? [];
          const timestamp = new Date();
          const messages = ids.map((messageId) => ({ id: messageId, timestamp, attempts: 1, body: { databaseName, id: messageId } }));
          await env.PRODUCT.queue("deliveries", messages);
        });
        return new Response("done");
      }
      case "deliveries": {
        const { endpoints, body, count, atOnce }: Deliveries = await request.json();
        await doAll(count, atOnce, async (index) => {
          const endpoint = endpoints[index % endpoints.length];
          if (endpoint !== undefined) await signAndSend(endpoint, `evt_${index}`, body);
        });
        return new Response("done");
      }
      case "calls":
        // The product's upstream calls alone, so that their cost can be subtracted.
        await replay(
          env,
          (recordings.get(id)?.object ?? []).filter((step) => !isNoCall(step)),
          id,
          suffix,
        );
        return new Response("done");
      default:
        return new Response("unknown", { status: 404 });
    }
  },

  async queue(batch, env) {
    await Promise.all(batch.messages.map(({ body: { name, suffix } }) => replay(env, recordings.get(name)?.consumer ?? [], name, suffix)));
  },
} satisfies ExportedHandler<Env, { readonly name: string; readonly suffix: string }>;
