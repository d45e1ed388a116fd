import { DurableObject } from "cloudflare:workers";

/**
 * What the platform itself takes: the same reads and writes as the product's, with the least code around them. It checks
 * nothing, so it is no service. It stands alone, since its types are stripped and nothing is bundled.
 */
interface Env {
  readonly DIRECTORY: D1Database;
  readonly CELL_1: D1Database;
  readonly SHORT_LINKS: KVNamespace;
  readonly KEYS: DurableObjectNamespace<ReferenceKey>;
}

const KEY = `SELECT k.partner_id, k.revoked_at, p.status, p.cell, e.status, (SELECT json_group_array(permission) FROM api_key_permissions WHERE key_hash = k.key_hash) AS permissions FROM api_keys k JOIN partners p ON p.id = k.partner_id LEFT JOIN employees e ON e.id = k.employee_id WHERE k.key_hash = ?`;
const PRODUCTS = "SELECT * FROM card_products WHERE processor_product_id IN (SELECT value FROM json_each(?))";
const LIST = "SELECT * FROM movements WHERE partner_id = ? AND environment = ? ORDER BY transaction_date DESC, id DESC LIMIT ?";
const RECORD =
  "INSERT INTO idempotency_records (id, partner_id, generation, operation, key, fingerprint, state, plan, progress, attempt, attempt_started_at, request_id, owner, epoch, resumable, begun_at, created_at, updated_at) VALUES (?1, 'acme', 'v2', 'reference', ?1, ?1, 'running', ?2, '{}', 1, 0, ?1, ?1, 1, 0, 0, 0, 0) ON CONFLICT DO NOTHING RETURNING id";
const READ = "SELECT * FROM idempotency_records WHERE id = ?";
const STEP = "UPDATE idempotency_records SET progress = ?2, epoch = CASE WHEN owner = ?1 AND epoch = 1 THEN 2 END WHERE id = ?1";
const LINK =
  "INSERT INTO payment_links (id, partner_id, environment, source, record_id, currency, mode, url, created_at) VALUES ('plink_' || ?1, 'acme', 'test', 'cart', ?1, 'USD', 'one_time', ?2, 0)";
const END =
  "UPDATE idempotency_records SET state = 'completed', plan = '', progress = '', owner = '', epoch = CASE WHEN owner = ?1 AND epoch = 2 THEN 3 END, result = ?2, completed_at = 0 WHERE id = ?1";
const COMPLETE = "UPDATE payment_links SET items = ?2, slug = ?1 WHERE id = 'plink_' || ?1";

const CHECKOUT = "https://checkout.example/pay/0123456789abcdef0123456789abcdef";

/** The object of a key: it inserts the record, stores a link with its step, and completes both. */
export class ReferenceKey extends DurableObject<Env> {
  #result: string | null = null;

  async create(id: string, plan: string): Promise<string> {
    const { CELL_1, SHORT_LINKS } = this.env;
    await CELL_1.batch([CELL_1.prepare(RECORD).bind(id, plan), CELL_1.prepare(READ).bind(id)]);
    await CELL_1.batch([CELL_1.prepare(STEP).bind(id, plan), CELL_1.prepare(LINK).bind(id, CHECKOUT)]);
    await CELL_1.batch([CELL_1.prepare(END).bind(id, plan), CELL_1.prepare(COMPLETE).bind(id, plan)]);
    await SHORT_LINKS.put(id, CHECKOUT);
    this.#result = plan;
    return plan;
  }

  repeat(): string {
    return this.#result ?? "{}";
  }
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const [, what = "", id = ""] = pathname.split("/");
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
      case "create": {
        const body = await request.text();
        await env.DIRECTORY.batch([
          env.DIRECTORY.prepare(KEY).bind(searchParams.get("key")),
          env.DIRECTORY.prepare(PRODUCTS).bind(searchParams.get("products")),
        ]);
        return new Response(await env.KEYS.get(env.KEYS.idFromName(id)).create(id, body));
      }
      case "repeat": {
        await env.DIRECTORY.prepare(KEY).bind(searchParams.get("key")).all();
        return new Response(await env.KEYS.get(env.KEYS.idFromName(id)).repeat());
      }
      case "upstream":
        // What the product asks of the processor for a link, so that its cost can be taken off.
        await (await fetch("https://processor.example/v1/payment_links", { method: "POST", body: await request.text() })).text();
        await (await fetch(`https://processor.example/v1/payment_links/plink_${id}/line_items`)).text();
        return new Response("done");
      default:
        return new Response("unknown", { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;
