/** A page of ours with its filters, as the router takes it: from `/webhooks?state=exhausted`. The environment stays. */
export function addressOf(page: string): { readonly to: string; readonly search: (before: object) => Record<string, string | undefined> } {
  const [to = "/", query = ""] = page.split("?");
  const wanted = Object.fromEntries(new URLSearchParams(query));
  return { to, search: (before) => ({ ...environmentOf(before), ...wanted }) };
}

function environmentOf(search: object): { readonly env?: string } {
  return "env" in search && typeof search.env === "string" ? { env: search.env } : {};
}
