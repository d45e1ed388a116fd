import { env } from "cloudflare:workers";
import { type DefectName, isDefect } from "./defect-names.ts";

/** The effect of a planted defect on the product. Each proves that the auditor would find such a defect. */
interface Defective {
  /** Answers a request instead of the product. */
  answer?(request: Request, product: () => Response | Promise<Response>): Response | Promise<Response>;
  /** Does something wrong after each run of the cron. */
  afterCron?(): Promise<void>;
}

interface Stores {
  readonly CELL_1: D1Database;
  readonly SHORT_LINKS: KVNamespace;
  readonly SNAPSHOTS: R2Bucket;
}

const { CELL_1, SHORT_LINKS, SNAPSHOTS } = env as unknown as Stores;

const isDelivery = (request: Request) => new URL(request.url).pathname.startsWith("/inbox/");

/** The first time, and then every `count` times. The count restarts when the runtime is killed. */
function every(count: number): () => boolean {
  let times = 0;
  return () => {
    times += 1;
    return times % count === 1;
  };
}

/** Replaces an outgoing request or its answer. Null: unchanged. */
function replaceFetch(change: (request: Request, send: typeof fetch) => Promise<Response> | null): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    return change(request, send) ?? send(request);
  };
}

const sql = (text: string) => async () => {
  await CELL_1.prepare(text).run();
};

/** The defects by name, with their implementation. */
const DEFECTS: Readonly<Record<DefectName, () => Defective>> = {
  "lost delivery": () => {
    const now = every(15);
    replaceFetch((request) => (isDelivery(request) && now() ? Promise.resolve(new Response("taken")) : null));
    return {};
  },
  // As if an event had been committed with the time of its beginning, behind what was read since.
  "event behind the cursor": () => ({
    afterCron: sql("UPDATE events SET created_at = created_at - 600000 WHERE created_at > (unixepoch() - 1) * 1000 AND id NOT LIKE '%.%'"),
  }),
  "delivery to another partner": () => {
    const now = every(15);
    replaceFetch((request, send) => {
      if (!isDelivery(request) || !now()) return null;
      const url = new URL(request.url);
      url.pathname = url.pathname.includes("north") ? "/inbox/partner-south-1" : "/inbox/partner-north-1";
      return send(new Request(url, request));
    });
    return {};
  },
  "wrong signature": () => {
    const now = every(15);
    replaceFetch((request, send) => {
      if (!isDelivery(request) || !now()) return null;
      const headers = new Headers(request.headers);
      headers.set("Service-Signature", `v1,${"0".repeat(64)}`);
      return send(new Request(request, { headers }));
    });
    return {};
  },
  "doubled link": () => {
    const now = every(10);
    replaceFetch((request, send) => {
      if (request.method !== "POST" || !request.url.endsWith("/v1/payment_links") || !now()) return null;
      return request
        .clone()
        .text()
        .then(async (body) => {
          const headers = new Headers(request.headers);
          headers.set("Idempotency-Key", crypto.randomUUID());
          await send(request.url, { method: "POST", headers, body });
          return send(request);
        });
    });
    return {};
  },
  "crossed partner": () => ({
    afterCron: sql(
      "UPDATE movements SET partner_id = (SELECT DISTINCT partner_id FROM endpoints WHERE partner_id <> movements.partner_id LIMIT 1) WHERE id = (SELECT min(id) FROM movements)",
    ),
  }),
  "wrong amount": () => ({ afterCron: sql("UPDATE movements SET amount = amount + 1 WHERE id = (SELECT min(id) FROM movements)") }),
  "lost movement": () => ({ afterCron: sql("DELETE FROM movements WHERE id = (SELECT min(id) FROM movements)") }),
  "wrong order": () => ({
    afterCron: sql("UPDATE orders SET charged = charged + 1 WHERE id = (SELECT min(id) FROM orders WHERE charged > 0)"),
  }),
  "wrong statement": () => ({ afterCron: sql("UPDATE statements SET fees = fees + 1 WHERE number = 1") }),
  "stuck record": () => ({
    afterCron: sql(
      // A change far in the future is never picked up by a sweep.
      "UPDATE idempotency_records SET state = 'running', updated_at = 9000000000000 WHERE id = (SELECT max(id) FROM idempotency_records WHERE key LIKE 'token:%')",
    ),
  }),
  "wrong target": () => {
    const put = SHORT_LINKS.put.bind(SHORT_LINKS);
    const now = every(10);
    let last = "";
    Object.assign(Object.getPrototypeOf(SHORT_LINKS) as object, {
      put(this: KVNamespace, key: string, value: string, options?: KVNamespacePutOptions) {
        const other = last;
        last = value;
        return put(key, other !== "" && now() ? other : value, options);
      },
    });
    return {};
  },
  "lost snapshot": () => {
    // All of them: another event would repair what was lost only once.
    Object.assign(Object.getPrototypeOf(SNAPSHOTS) as object, { put: (key: string) => Promise.resolve({ key }) });
    return {};
  },
  "secret in the log": () => {
    const now = every(20);
    return {
      answer(request, product) {
        const key = request.headers.get("X-Partner-Api-Key");
        if (key !== null && now()) console.log(JSON.stringify({ level: "info", message: "request", key }));
        return product();
      },
    };
  },
  "undocumented answer": () => {
    const now = every(20);
    return {
      async answer(request, product) {
        const response = await product();
        if (request.method !== "POST" || !new URL(request.url).pathname.includes("cart-payment-link") || !now()) return response;
        const body = await response.json<Record<string, unknown>>();
        return Response.json({ ...body, line_item_count: String(body.line_item_count) }, response);
      },
    };
  },
};

/** Plants the defect of this name; an empty name plants none. */
export function plantDefect(name: string): Defective {
  if (name === "") return {};
  if (!isDefect(name)) throw new Error(`there is no break ${JSON.stringify(name)}`);
  return DEFECTS[name]();
}
