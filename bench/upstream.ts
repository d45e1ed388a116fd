/**
 * A processor that answers the two calls for a link at once, from what was asked: it is part of the runtime that is
 * measured, so it does no more than it must. It stands alone, like the reference.
 */
const ITEMS = new Map<string, string>();

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const [, , , id] = pathname.split("/");
    if (request.method === "GET") return new Response(ITEMS.get(id ?? "") ?? '{"object":"list","data":[],"has_more":false}');
    const livemode = (request.headers.get("Authorization") ?? "").includes("_live_");
    const asked = new URLSearchParams(await request.text());
    const made = `plink_${crypto.randomUUID().replaceAll("-", "")}`;
    const data: object[] = [];
    for (let index = 0; asked.has(`line_items[${index}][quantity]`); index += 1) {
      const of = (name: string) => asked.get(`line_items[${index}]${name}`);
      const amount = Number(of("[price_data][unit_amount]"));
      const price = { id: `price_${made}_${index}`, object: "price", unit_amount: amount, product: of("[price_data][product]") };
      data.push({ id: `li_${index}`, object: "item", quantity: Number(of("[quantity]")), price });
    }
    ITEMS.set(made, JSON.stringify({ object: "list", data, has_more: false, url: "" }));
    return Response.json({ id: made, object: "payment_link", url: `https://checkout.example/${made}`, livemode, active: true });
  },
} satisfies ExportedHandler;
