import * as z from "zod";
import type { ImportedProduct, LineFault } from "../../catalogue/admin/import.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import type { PriceUnit } from "../../core/money.ts";
import { typedMinorUnits } from "../../core/typed-amount.ts";
import { cardValuesOf, newProductSchema, rubleValuesOf } from "../objects/product-schemas.ts";
import { faultOf } from "../shape.ts";
import { type FileRow, rowsOfText } from "./file-rows.ts";

/** The rows of an import, with their prices in minor units. @throws ServiceFailure `invalid_input`. */
export function rowsOf(text: string, unit: PriceUnit): FileRow[] {
  const read = rowsOfText(text);
  const rows = unit === "minor" ? read : read.map(({ line, row }) => ({ line, row: inMinorUnits(row) }));
  if (rows.length === 0) rejectInput("the file has no product");
  if (rows.length > limits.productImport.lines) rejectInput(`the file must have at most ${limits.productImport.lines} products`);
  return rows;
}

/** A row whose price is in major units, with that price in minor ones: every currency of the catalogue has two decimals. */
function inMinorUnits(row: unknown): unknown {
  const given = anyRow.safeParse(row).data;
  const amount = given?.unit_amount;
  if (typeof amount !== "string" && typeof amount !== "number") return row;
  // What is no amount is left as a text, which the report names.
  return { ...given, unit_amount: typedMinorUnits(String(amount)) ?? String(amount) };
}

const anyRow = z.looseObject({});
const withPartner = z.looseObject({ partner_id: z.string("is missing: the id of the product's partner") });

/** What the rows of a file are checked against: all existing partners, and the terminals of the settings. */
interface Known {
  readonly partnerIds: ReadonlySet<string>;
  readonly terminalFault: (terminal: string) => string | null;
}

/** Converts rows to products, and lists the faults of the other rows. `unit`: as the file has its prices. */
export function productsOf(
  rows: readonly FileRow[],
  { partnerIds, terminalFault }: Known,
  unit: PriceUnit,
): { readonly products: ImportedProduct[]; readonly faults: LineFault[] } {
  const products: ImportedProduct[] = [];
  const faults: LineFault[] = [];
  for (const { line, row } of rows) {
    const owned = withPartner.safeParse(row);
    const { partner_id: _, ...product } = anyRow.safeParse(row).data ?? {};
    const partnerId = owned.data?.partner_id ?? "";
    const parsed = newProductSchema.safeParse(product);
    const issues = [...(owned.error?.issues ?? []), ...(parsed.error?.issues ?? [])];
    if (!owned.success || !parsed.success)
      faults.push(...issues.map((issue) => ({ line, field: fieldOf(issue), message: messageOf(issue, row, unit) })));
    else if (!partnerIds.has(partnerId))
      faults.push({ line, field: "partner_id", message: `partner_id: there is no partner ${partnerId}` });
    else {
      const wrong = parsed.data.kind === "ruble" ? terminalFault(parsed.data.terminal) : null;
      if (wrong === null) products.push(importedOf(line, partnerId, parsed.data));
      else faults.push({ line, field: "terminal", message: wrong });
    }
  }
  return { products, faults };
}

/** Maximum characters of a value in a fault message. */
const SHOWN = 60;

/** The field that is wrong: the column of a cell. */
function fieldOf({ path: [name] }: z.core.$ZodIssue): string | null {
  return typeof name === "string" ? name : null;
}

/** The fault of a field, with the row's value. */
function messageOf(issue: z.core.$ZodIssue, row: unknown, unit: PriceUnit): string {
  const { message } = faultOf(issue);
  const [name] = issue.path;
  const value = typeof name === "string" ? anyRow.safeParse(row).data?.[name] : undefined;
  if (name === "unit_amount" && typeof value === "string") {
    // `19.00` is read as an amount only where the caller says so: as a number it would mean 19 minor units.
    const wanted =
      unit === "major" ? "an amount such as 19.99" : "a whole number of minor units, 1900 for 19.00; or say that prices are in major units";
    return `unit_amount: must be ${wanted} (it is ${JSON.stringify(value).slice(0, SHOWN)})`;
  }
  return value === undefined ? message : `${message} (it is ${JSON.stringify(value).slice(0, SHOWN)})`;
}

function importedOf(line: number, partnerId: string, product: z.output<typeof newProductSchema>): ImportedProduct {
  return product.kind === "card"
    ? { line, partnerId, kind: "card", values: cardValuesOf(product) }
    : { line, partnerId, kind: "ruble", id: product.id, values: rubleValuesOf(product) };
}
