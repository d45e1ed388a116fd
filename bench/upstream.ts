/**
 * A processor and a bank that answer at once, from the request or from recordings: they are part of the measured
 * runtime, so they do as little as possible. It stands alone, like the reference.
 */
const ITEMS = new Map<string, string>();

/** Recorded answers to look-ups: by the URL before the id, with the parts of the text around each id. */
interface Answer {
  readonly url: readonly string[];
  readonly parts: readonly string[];
}

/** The same as in `record-requests.ts`. */
const SUFFIX_LENGTH = 8;

let answers: readonly Answer[] = [];

const json = { "Content-Type": "application/json" };

export default {
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    const [, version, kind, id] = pathname.split("/");
    if (pathname === "/answers") {
      answers = await request.json();
      return new Response("known");
    }
    if (version === "v2") return Response.json(bankAnswer(kind ?? "", await request.json()));
    if (request.method === "GET") {
      const recorded = answerTo(`${pathname}${search}`);
      return new Response(recorded ?? ITEMS.get(id ?? "") ?? '{"object":"list","data":[],"has_more":false}', { headers: json });
    }
    const livemode = (request.headers.get("Authorization") ?? "").includes("_live_");
    const asked = new URLSearchParams(await request.text());
    if (kind !== "payment_links") return Response.json({ id: newId(kind === "coupons" ? "cou" : "promo"), livemode, active: true });
    const made = newId("plink");
    const data: object[] = [];
    for (let index = 0; asked.has(`line_items[${index}][quantity]`); index += 1) {
      const of = (name: string) => asked.get(`line_items[${index}]${name}`);
      const price = { id: `price_${made}_${index}`, object: "price", ...priceOf(of) };
      data.push({ id: `li_${index}`, object: "item", quantity: Number(of("[quantity]")), price });
    }
    ITEMS.set(made, JSON.stringify({ object: "list", data, has_more: false, url: "" }));
    return Response.json({ id: made, object: "payment_link", url: `https://checkout.example/${made}`, livemode, active: true });
  },
} satisfies ExportedHandler;

function priceOf(of: (name: string) => string | null): object {
  const interval = of("[price_data][recurring][interval]");
  const recurring = interval === null ? {} : { recurring: { interval, interval_count: 1 } };
  return { unit_amount: Number(of("[price_data][unit_amount]")), product: of("[price_data][product]"), ...recurring };
}

function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

/** The recorded answer to a URL, with the requested ids. */
function answerTo(url: string): string | null {
  for (const { url: parts, parts: text } of answers) {
    const [before = ""] = parts;
    const suffix = url.slice(before.length, before.length + SUFFIX_LENGTH);
    if (parts.join(suffix) === url) return text.join(suffix);
  }
  return null;
}

function bankAnswer(method: string, { TerminalKey, OrderId, Amount }: Record<string, unknown>): object {
  // As long as a text that counts as an id.
  const PaymentId = String(Math.floor((1 + Math.random() * 8) * 1e15));
  const ok = { Success: true, ErrorCode: "0", TerminalKey, OrderId, PaymentId };
  return method === "Init"
    ? { ...ok, Amount, Status: "NEW", PaymentURL: `https://bank.example/${PaymentId}` }
    : { ...ok, Data: `https://qr.example/${PaymentId}` };
}
