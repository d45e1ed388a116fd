type Row = Readonly<Record<string, unknown>>;

/** The page of a call, with what it takes. */
export function pageOfCall(command: string, given: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(given).toString();
  return `/ops/pages/${command.replaceAll(" ", "-")}${query === "" ? "" : `?${query}`}`;
}

/** Fields whose value has a page of its own, whatever call shows them. */
const BY_NAME: Readonly<Record<string, (value: string) => string>> = {
  partner_id: (id) => pageOfCall("partners show", { id }),
  key_id: (key_id) => pageOfCall("keys revoke", { key_id }),
  grant_id: (grant_id) => pageOfCall("grants revoke", { grant_id }),
  payment_link_id: (q) => pageOfCall("story", { q }),
  payment_intent_id: (q) => pageOfCall("story", { q }),
  subscription_id: (q) => pageOfCall("story", { q }),
  order_id: (order) => pageOfCall("bank-orders show", { order }),
  event: (event) => pageOfCall("deliveries show", { event }),
  endpoint: (endpoint) => pageOfCall("deliveries list", { endpoint }),
  target: (target) => pageOfCall("audit list", { target }),
};

/** The lists whose rows have an id with a page. */
const BY_LIST: Readonly<Record<string, (id: string, row: Row) => string>> = {
  "partners list": (id) => pageOfCall("partners show", { id }),
  "partners create": (id) => pageOfCall("partners show", { id }),
  "employees list": (id) => pageOfCall("employees disable", { id }),
  "products list": productPage,
  "products waiting": productPage,
  "products create": productPage,
  "endpoints list": (id) => pageOfCall("endpoints suspend", { id }),
  find: foundPage,
  story: (q) => pageOfCall("story", { q }),
  "movements waiting": (id) => pageOfCall("movements dismiss", { id }),
  "parked-payments list": (id) => pageOfCall("parked-payments retry", { id }),
  "bank-notifications waiting": (id) => pageOfCall("bank-notifications dismiss", { id }),
  "ledger show": (q) => pageOfCall("story", { q }),
};

function productPage(id: string, { kind }: Row): string {
  return pageOfCall("products show", { kind: String(kind), id });
}

function foundPage(id: string, { kind }: Row): string {
  if (kind === "partner") return pageOfCall("partners show", { id });
  if (kind === "key") return pageOfCall("keys revoke", { key_id: id });
  if (kind === "grant") return pageOfCall("grants revoke", { grant_id: id });
  if (kind === "endpoint") return pageOfCall("endpoints suspend", { id });
  if (kind === "employee") return pageOfCall("employees disable", { id });
  const [productKind = "", productId = ""] = kind === "product" ? id.split("/") : [];
  return kind === "product" ? pageOfCall("products show", { kind: productKind, id: productId }) : pageOfCall("story", { q: id });
}

/** The page that a shown value leads to; null if it has none. */
export function linkOf(command: string, name: string, value: unknown, row: Row): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const page = name === "id" ? BY_LIST[command]?.(String(value), row) : BY_NAME[name]?.(String(value));
  return page ?? null;
}
