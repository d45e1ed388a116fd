import Papa from "papaparse";
import * as z from "zod";
import type { ImportedProduct, LineFault } from "../../catalogue/admin/import.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { faultOf } from "../operation.ts";
import { cardValuesOf, newProductSchema, rubleValuesOf } from "./product-schemas.ts";

/** A row of a file, and the line that it is on: in CSV as an editor counts, in JSON its place in the array. */
interface FileRow {
  readonly line: number;
  readonly row: unknown;
}

/** The rows of an import. CSV has a first line with the names of the fields. @throws ServiceFailure `invalid_input`. */
export function rowsOf(text: string, isCsv: boolean): FileRow[] {
  const rows = isCsv ? csvRows(text) : jsonRows(text);
  if (rows.length === 0) rejectInput("the file has no product");
  if (rows.length > limits.productImport.lines) rejectInput(`the file must have at most ${limits.productImport.lines} products`);
  return rows;
}

function jsonRows(text: string): FileRow[] {
  const parsed = z.array(z.unknown()).safeParse(jsonOf(text));
  if (!parsed.success) rejectInput("the file must be a JSON array of products");
  return parsed.data.map((row, index) => ({ line: index + 1, row }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return rejectInput("the file is not valid JSON");
  }
}

/** A cell of CSV is a text. An empty one is no value; whole numbers and lists are read as such where a field has them. */
function csvRows(text: string): FileRow[] {
  const { data, errors } = Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ""), { header: true, skipEmptyLines: "greedy" });
  const [fault] = errors.filter(({ code }) => code !== "UndetectableDelimiter");
  if (fault !== undefined) {
    // The parser counts rows from 0. It takes the first line for a row as long as it looks for quotes only.
    rejectInput(`line ${(fault.row ?? 0) + (fault.type === "Quotes" ? 1 : 2)}: ${fault.message}`);
  }
  return data.map((cells, index) => ({
    line: index + 2,
    row: Object.fromEntries(
      Object.entries(cells).flatMap(([name, cell]) => (cell.trim() === "" ? [] : [[name, valueIn(name, cell.trim())]])),
    ),
  }));
}

const NUMBERS = new Set(["id", "unit_amount", "interval_count"]);

function valueIn(name: string, cell: string): unknown {
  if (NUMBERS.has(name) && /^\d{1,15}$/.test(cell)) return Number(cell);
  return name === "payment_method_types" ? cell.split(/[\s,;|]+/) : cell;
}

const withPartner = z.looseObject({ partner_id: z.string("is missing: the partner whose product it is") });

/** The products of the rows, and what is wrong with the others. `partnerIds`: all that there are. */
export function productsOf(
  rows: readonly FileRow[],
  partnerIds: ReadonlySet<string>,
): { readonly products: ImportedProduct[]; readonly faults: LineFault[] } {
  const products: ImportedProduct[] = [];
  const faults: LineFault[] = [];
  for (const { line, row } of rows) {
    const owned = withPartner.safeParse(row);
    const parsed = owned.success ? newProductSchema.safeParse(row) : owned;
    if (!owned.success || !parsed.success) faults.push({ line, message: faultOf(parsed.error?.issues[0]).message });
    else if (!partnerIds.has(owned.data.partner_id))
      faults.push({ line, message: `partner_id: there is no partner ${owned.data.partner_id}` });
    else products.push(importedOf(line, owned.data.partner_id, newProductSchema.parse(row)));
  }
  return { products, faults };
}

function importedOf(line: number, partnerId: string, product: z.output<typeof newProductSchema>): ImportedProduct {
  return product.kind === "card"
    ? { line, partnerId, kind: "card", values: cardValuesOf(product) }
    : { line, partnerId, kind: "ruble", id: product.id, values: rubleValuesOf(product) };
}
