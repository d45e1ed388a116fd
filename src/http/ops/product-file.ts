import Papa from "papaparse";
import * as z from "zod";
import type { ImportedProduct, LineFault } from "../../catalogue/admin/import.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { faultOf } from "../shape.ts";
import { cardValuesOf, newProductSchema, rubleValuesOf } from "./product-schemas.ts";

/** A row of a file, with its line: in CSV as an editor counts, in JSON the position in the array. */
interface FileRow {
  readonly line: number;
  readonly row: unknown;
}

/** How a file writes its prices: `1900` in minor units, or `19.00` in major ones. */
export const priceUnits = ["minor", "major"] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** The rows of an import. The first CSV line has the field names. @throws ServiceFailure `invalid_input`. */
export function rowsOf(text: string, isCsv: boolean, unit: PriceUnit): FileRow[] {
  const read = isCsv ? csvRows(text) : jsonRows(text);
  const rows = unit === "minor" ? read : read.map(({ line, row }) => ({ line, row: inMinorUnits(row) }));
  if (rows.length === 0) rejectInput("the file has no product");
  if (rows.length > limits.productImport.lines) rejectInput(`the file must have at most ${limits.productImport.lines} products`);
  return rows;
}

function jsonRows(text: string): FileRow[] {
  const parsed = z.array(z.unknown()).safeParse(jsonOf(text));
  if (!parsed.success) rejectInput("the file must be a JSON array of products");
  return parsed.data.map((row, index) => ({ line: index + 1, row }));
}

/** An amount as people write it: 19, 19.9, 19.90, 19,90, 1 234,50. Three digits behind a comma may be thousands: refused. */
const MAJOR = /^(\d{1,9}|\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,2})(?:[.,](\d{1,2}))?$/;

/** A row whose price is in major units, with that price in minor ones: every currency of the catalogue has two decimals. */
function inMinorUnits(row: unknown): unknown {
  const given = anyRow.safeParse(row).data;
  const amount = given?.unit_amount;
  if (typeof amount !== "string" && typeof amount !== "number") return row;
  const [, whole, part = ""] = MAJOR.exec(String(amount)) ?? [];
  // What is no amount is left as a text, which the report names.
  const minor = whole === undefined ? String(amount) : Number(whole.replaceAll(/\D/g, "") + part.padEnd(2, "0"));
  return { ...given, unit_amount: minor };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return rejectInput("the file is not valid JSON");
  }
}

/** A CSV cell is a text. An empty cell means no value; whole numbers and lists are parsed where a field needs them. */
function csvRows(text: string): FileRow[] {
  // A file with too many lines is read only far enough to see that.
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), { preview: 2 * limits.productImport.lines });
  const [fault] = errors.filter(({ code }) => code !== "UndetectableDelimiter");
  if (fault !== undefined) rejectInput(`row ${(fault.row ?? 0) + 1}: ${fault.message}`);
  const [first, ...rows] = withLines(data);
  const names = first?.cells ?? [];
  return rows.flatMap(({ line, cells }) => {
    if (cells.every((cell) => cell.trim() === "")) return [];
    if (cells.length > names.length) rejectInput(`line ${line}: more cells than field names in the first line`);
    return [{ line, row: rowOf(names, cells) }];
  });
}

/** Each row with the line on which it starts, as an editor counts: a quoted cell may contain line breaks. */
function withLines(rows: readonly string[][]) {
  let next = 1;
  return rows.map((cells) => {
    const line = next;
    next += 1 + cells.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
    return { line, cells };
  });
}

function rowOf(names: readonly string[], cells: readonly string[]): object {
  const given = names.flatMap((name, index) => {
    const cell = cells[index]?.trim() ?? "";
    return cell === "" ? [] : [[name.trim(), valueIn(name.trim(), cell)] as const];
  });
  return Object.fromEntries(given);
}

const NUMBERS = new Set(["id", "unit_amount", "interval_count"]);

function valueIn(name: string, cell: string): unknown {
  if (NUMBERS.has(name) && /^\d{1,15}$/.test(cell)) return Number(cell);
  return name === "payment_method_types" ? cell.split(/[\s,;|]+/) : cell;
}

const anyRow = z.looseObject({});
const withPartner = z.looseObject({ partner_id: z.string("is missing: the id of the product's partner") });

/** Converts rows to products, and lists the faults of the other rows. `partnerIds`: all existing partners; `unit`: as the file has its prices. */
export function productsOf(
  rows: readonly FileRow[],
  partnerIds: ReadonlySet<string>,
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
    else products.push(importedOf(line, partnerId, parsed.data));
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
