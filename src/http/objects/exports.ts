import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { rejectInput } from "../../core/errors.ts";
import type { Right } from "../../partners/permissions.ts";
import { BOM, type CellValue, csvFormOf, csvLine, isLocale, NO_LOCALE, textCell } from "../calls/csv.ts";
import type { Download } from "../calls/download.ts";
import { listEnvironment } from "../calls/lists.ts";
import { type AskedPeriod, type Moment, periodQuery } from "../calls/moments.ts";
import { auditPage, auditSearch, ofOperators, entryView as viewOfChange } from "./audit.ts";
import { bankPaymentList } from "./bank-payments.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { deliveriesPage, deliverySearch, deliveryView } from "./deliveries.ts";
import { disputeList } from "./disputes.ts";
import { linkList } from "./links.ts";
import { movementList } from "./movements.ts";
import { orderList } from "./orders.ts";
import { requirePartner } from "./partner-lookup.ts";
import { payoutList } from "./payouts.ts";
import { productSearch, soldView, viewSold } from "./products-of-partners.ts";
import { pageOfProducts } from "./products-page.ts";
import { codeList } from "./promotion-codes.ts";
import { entryView, REQUEST_ENVIRONMENT, requestSearch, requestsPage } from "./requests.ts";
import { byPartner, zoneOf } from "./rows.ts";
import { statementsPage, statementView } from "./statements.ts";
import { subscriptionList } from "./subscriptions.ts";

/** Rows of one read: few enough for a Worker's memory, and many enough that a long file needs few reads. */
const ROWS = 1_000;

/** So many rows a file has at most that are chosen by their ids: as many as a page of a list. */
const MAX_CHOSEN = 100;

/** How a file is written. */
const fileQuery = {
  format: z.enum(["csv", "ndjson"]).default("csv").describe("`csv` for a spreadsheet, `ndjson` for a program: one JSON object a line"),
  locale: z
    .string()
    .refine(isLocale, NO_LOCALE)
    .optional()
    .describe("Of the spreadsheet: with a decimal comma, cells are divided by semicolons. Times are of the partner's time zone"),
};

/** The rows of a list that a person has chosen. */
const chosenQuery = {
  chosen: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.string().min(1, "names an empty id").max(80)).max(MAX_CHOSEN, `names more than ${MAX_CHOSEN} rows`))
    .optional()
    .describe(`Only the rows with these ids, of those that the filters leave: up to ${MAX_CHOSEN}, divided by commas`),
};

/** What an export asks for. */
interface Wanted extends AskedPeriod {
  readonly partner?: string | undefined;
  readonly environment?: "live" | "test" | undefined;
  readonly format: "csv" | "ndjson";
  readonly locale?: string | undefined;
  readonly chosen?: readonly string[] | undefined;
}

type View = Readonly<Record<string, unknown>>;

/** A list as a file: its rows are those of the list's pages, with the same filters. */
interface Exported<Search extends z.ZodRawShape> {
  /** `any`: the page has the rows that the asker may see. */
  readonly permission: Right | "any";
  readonly search: Search;
  /** A row of the list, and the field that has its id; a list without one has no rows to choose. */
  readonly view: z.ZodObject;
  readonly id?: string;
  readonly page: (
    asker: Asker,
    asked: Wanted &
      z.output<z.ZodObject<Search>> & {
        readonly limit: number;
        readonly cursor?: string | undefined;
      },
  ) => Promise<{ readonly data: readonly View[]; readonly next: string | null }>;
  /** What only operators search by. */
  readonly filters?: z.ZodRawShape;
  /** False for what is not listed by its time. */
  readonly hasPeriod?: boolean;
  /** What the environment means, where rows may have none. */
  readonly environments?: string;
  /** Whether an operator must name the partner, who stands in no row then. */
  readonly isOfOne?: boolean;
  /** The arguments of its command in an example. */
  readonly example?: string;
}

/** The columns of a row: an object has one for each of its fields. */
function columnsOf(view: z.ZodObject): readonly string[] {
  return Object.entries(view.shape).flatMap(([name, field]) => {
    const inner: unknown = field instanceof z.ZodNullable ? field.unwrap() : field;
    return inner instanceof z.ZodObject ? Object.keys(inner.shape).map((own) => `${name}.${own}`) : [name];
  });
}

/** The cells of a row, in the order of the columns. */
function cellsOf(row: View, columns: readonly string[]): CellValue[] {
  return columns.map((column) => {
    const [name = "", own] = column.split(".");
    const value = row[name];
    if (own === undefined) return cellOf(column, value);
    return typeof value === "object" && value !== null && own in value ? cellOf(column, Reflect.get(value, own)) : null;
  });
}

const soldSchema = z.object({ currency: z.string(), orders: z.int(), net: z.number() });
const sumSchema = z.strictObject({ currency: z.string(), amount: z.number() });
const itemSchema = z.object({ quantity: z.int(), product_id: z.string(), name: z.string().nullable() });

/** A value in one cell: what was sold as people say it, and any other list or object as JSON. */
function cellOf(column: string, value: unknown): CellValue {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return textCell(column, value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  const items = z.array(itemSchema).safeParse(value);
  const sold = z.array(soldSchema).safeParse(value);
  if (sold.success) return sold.data.map(({ currency, orders, net }) => `${net} ${currency} (${orders})`).join(", ");
  const sums = z.array(sumSchema).safeParse(value);
  if (sums.success) return sums.data.map(({ currency, amount }) => `${amount} ${currency}`).join(", ");
  if (items.success) return items.data.map(({ quantity, name, product_id }) => `${quantity} × ${name ?? product_id}`).join(", ");
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(" ") : JSON.stringify(value);
}

/** The lines of a file, read page by page. */
async function* linesOf(
  pages: AsyncGenerator<readonly View[], undefined>,
  view: z.ZodObject,
  { format, locale }: Pick<Wanted, "format" | "locale">,
  zone: string,
): AsyncGenerator<string, undefined> {
  if (format === "ndjson") {
    for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(view.parse(row))}\n`).join("");
    return undefined;
  }
  const [columns, form] = [columnsOf(view), csvFormOf(locale, zone)];
  yield `${BOM}${csvLine(
    columns.map((column) => column.replace(".", "_")),
    form,
  )}`;
  for await (const rows of pages) yield rows.map((row) => csvLine(cellsOf(row, columns), form)).join("");
  return undefined;
}

async function* pagesOf<Page extends { readonly data: readonly View[]; readonly next: string | null }>(
  first: Page,
  read: (cursor: string) => Promise<Page>,
): AsyncGenerator<readonly View[], undefined> {
  for (let page = first; ; page = await read(page.next)) {
    if (page.data.length > 0) yield page.data;
    if (page.next === null) return undefined;
  }
}

/** The chosen rows among those of the pages, which are read until all are found. */
async function* chosenOf(
  pages: AsyncGenerator<readonly View[], undefined>,
  id: string,
  chosen: readonly string[],
): AsyncGenerator<readonly View[], undefined> {
  const left = new Set<unknown>(chosen);
  for await (const page of pages) {
    yield page.filter((row) => left.delete(row[id]));
    if (left.size === 0) return undefined;
  }
  return undefined;
}

/** A moment in the name of a file, which takes no colons. */
const inName = (moment: Moment): string => ("day" in moment ? moment.day : isoTime(moment.at).slice(0, 19).replaceAll(":", ""));

/** The name of a file, without its ending: two months, or both environments, are two files. */
const fileName = (what: string, { environment, since, until, chosen }: Wanted): string =>
  [
    what,
    ...(environment === undefined ? [] : [environment]),
    ...(since === undefined ? [] : ["from", inName(since)]),
    ...(until === undefined ? [] : ["to", inName(until)]),
    ...(chosen === undefined ? [] : ["chosen"]),
  ].join("-");

/** A file counts as so many queries: it may read a whole list. */
const WEIGHT = 50;

/** What operators ask for a file of one partner. */
const ofOne = { partner: z.string().describe("Whose") };

/** The arguments of most exports' example. */
const PERIOD = "--since 2026-10-01 --until 2026-10-31";

/** `what`: as in the path. */
function defineExport<Search extends z.ZodRawShape>(
  what: string,
  {
    permission,
    search,
    view,
    id,
    page,
    filters: more = {},
    isOfOne = false,
    hasPeriod = true,
    environments,
    example = PERIOD,
  }: Exported<Search>,
) {
  const answer = z.object({}).describe("A file");
  const filters = Object.keys(search).length === 0 ? "" : ", with the filters of the list";
  const said = { command: `exports ${what}`, summary: `Your ${what.replaceAll("-", " ")} as a file${filters}`, answer };
  return defineForBoth({
    query: z.object({
      environment: environments === undefined ? listEnvironment : listEnvironment.describe(environments),
      ...(hasPeriod ? periodQuery : {}),
      ...search,
      ...fileQuery,
      ...(id === undefined ? {} : chosenQuery),
    }),
    partner: { ...said, path: `/partner/exports/${what}`, permission, weight: WEIGHT, example },
    operator: {
      ...said,
      path: `/ops/exports/${what}`,
      role: "any",
      filters: { ...(isOfOne ? ofOne : byPartner), ...more },
      example: "--partner acme",
    },
    isFile: true,
    async download(asker, { query }): Promise<Download> {
      // The query is that of the definition, with the search of this list.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const asked = query as Wanted & z.output<z.ZodObject<Search>>;
      const isNamed = isOfOne || asker.partner !== null || "partner_id" in view.shape;
      const shown = isNamed ? view : view.extend({ partner_id: z.string().nullable() });
      const zone = await zoneOf(asker, asked.partner);
      const { chosen } = asked;
      const read = (cursor?: string) => page(asker, { ...asked, limit: ROWS, cursor });
      // Read before the answer begins, so that a refusal is answered as one.
      const first = await read();
      const type = asked.format === "csv" ? ("text/csv" as const) : ("application/x-ndjson" as const);
      const pages = pagesOf(first, read);
      const rows = id === undefined || chosen === undefined ? pages : chosenOf(pages, id, chosen);
      return { type, name: `${fileName(what, asked)}.${asked.format}`, texts: linesOf(rows, shown, asked, zone) };
    },
    run: () => Promise.reject(new Error("an export is always a file")),
  });
}

/** What is of live data alone. @throws ServiceFailure `invalid_input` for test data */
const liveOnly = (what: string, { environment }: Wanted) =>
  environment === "test" ? rejectInput(`environment: ${what} are of live data alone`, "environment") : undefined;

/** Whose rows a file of one partner has. */
const ownerOf = (asker: Asker, partner = ""): string => asker.partner?.caller.partnerId ?? partner;

/** All statements of a partner. There are none of test data. */
function statementsOnce(asker: Asker, asked: Wanted) {
  liveOnly("statements", asked);
  return statementsPage(asker, { partner: asked.partner });
}

export const exportCalls = [
  defineExport("orders", { ...orderList, id: "id" }),
  defineExport("movements", { ...movementList, id: "id" }),
  defineExport("disputes", { ...disputeList, id: "id" }),
  defineExport("payouts", { ...payoutList, id: "id", page: (asker, asked) => liveOnly("payouts", asked) ?? payoutList.page(asker, asked) }),
  defineExport("statements", {
    permission: "balance_view",
    search: {},
    view: statementView,
    page: statementsOnce,
    hasPeriod: false,
    example: "--format csv",
  }),
  defineExport("subscriptions", { ...subscriptionList, id: "subscription_id" }),
  defineExport("ruble-payments", { ...bankPaymentList, id: "order_id" }),
  defineExport("links", { ...linkList, id: "payment_link_id" }),
  defineExport("promotion-codes", { ...codeList, id: "promotion_code_id" }),
  defineExport("products", {
    permission: "products_view",
    search: productSearch,
    view: soldView,
    id: "product_id",
    async page(asker, asked) {
      const { environment, moderation, partner } = asked;
      const { id: partnerId } = await requirePartner(asker.deps, ownerOf(asker, partner));
      return pageOfProducts(asker.deps, { partnerId, environment, moderation }, asked, viewSold);
    },
    isOfOne: true,
    hasPeriod: false,
    environments: "Only card products of this environment, and ruble products; left out: all",
    example: "--moderation approved",
  }),
  defineExport("requests", {
    permission: "any",
    search: requestSearch,
    view: entryView,
    page: (asker, asked) => requestsPage(asker, ownerOf(asker, asked.partner), asked),
    isOfOne: true,
    environments: REQUEST_ENVIRONMENT,
  }),
  defineExport("deliveries", {
    permission: "webhook_config",
    search: deliverySearch,
    view: deliveryView,
    id: "delivery",
    page: deliveriesPage,
  }),
  defineExport("audit", {
    permission: "owner",
    search: auditSearch,
    filters: ofOperators,
    view: viewOfChange,
    page: (asker, { environment, ...asked }) =>
      environment === undefined ? auditPage(asker, asked) : rejectInput("environment: changes have none", "environment"),
  }),
];
