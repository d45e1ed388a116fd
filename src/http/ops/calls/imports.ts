import * as z from "zod";
import { findTakenIds, type ImportedProduct, importIdOf, importProducts, pricesImported } from "../../../catalogue/admin/import.ts";
import { limits } from "../../../core/limits.ts";
import { moneyText, type PriceUnit, priceUnits } from "../../../core/money.ts";
import { allPartnerIds } from "../../../partners/location-store.ts";
import { flagField } from "../../calls/call.ts";
import { conflict } from "../../calls/refusal.ts";
import { terminalFault } from "../../objects/product-lookup.ts";
import { defineCall } from "../define-call.ts";
import { productsOf, rowsOf } from "../product-file.ts";

/** The maximum number of faults in a report. */
const MAX_REPORTED = 1_000;
/** The maximum number of products that a report shows. */
const MAX_SHOWN = 20;

function previewOf({ line, partnerId, values }: ImportedProduct) {
  return { line, partner_id: partnerId, name: values.name, price: moneyText(values.unitAmount, values.currency) };
}

/** Whether a file was imported before. With its prices read in the other unit it is refused: the report would show prices that are not stored. */
function isRepeat(before: PriceUnit | null, prices: PriceUnit): boolean {
  if (before === null || before === prices) return before !== null;
  return conflict(
    `This file was imported before, with its prices in ${before} units, and nothing is changed now. Send it with prices=${before}.`,
  );
}

export const importCalls = [
  defineCall({
    command: "products import",
    method: "POST",
    path: "/ops/imports/products",
    role: "moderation",
    summary: "Adds the products of a CSV or JSON file, all or none; they then wait for moderation",
    query: z.object({
      dry_run: flagField.describe("Only checks the file, and shows its first products"),
      prices: z.enum(priceUnits).default("minor").describe("How the file writes them: minor, as 1999, or major, as 19.99. Left out: minor"),
    }),
    file: { types: ["text/csv", "application/json", "application/x-ndjson"], maxBytes: limits.productImport.bytes },
    statusOf: ({ success, dry_run: isDry }) => (success || isDry ? 200 : 422),
    answer: z.object({
      success: z.boolean().describe("False while a line is wrong"),
      dry_run: z.boolean(),
      import_id: z.string().describe("The same file is imported once"),
      imported: z.boolean().describe("Whether the products are in the catalogue now"),
      imported_before: z.boolean(),
      products: z.int(),
      preview: z
        .array(z.object({ line: z.int(), partner_id: z.string(), name: z.string(), price: z.string() }))
        .describe("The first products as they are understood: compare the prices"),
      faults: z
        .array(z.object({ line: z.int(), field: z.string().nullable(), message: z.string() }))
        .describe("Nothing is imported if there is one"),
    }),
    example: "products.csv --dry_run",
    async run({ deps, actor }, { query }, file) {
      const partnerIds = new Set(await allPartnerIds(deps.directory));
      const known = { partnerIds, terminalFault: (terminal: string) => terminalFault(deps, terminal) };
      const { products, faults: wrong } = productsOf(rowsOf(file, query.prices), known, query.prices);
      const preview = products.slice(0, MAX_SHOWN).map(previewOf);
      const importId = await importIdOf(file);
      if (isRepeat(await pricesImported(deps.directory, importId), query.prices)) {
        const done = { import_id: importId, imported: true, imported_before: true, products: products.length, preview, faults: [] };
        return { success: true, dry_run: query.dry_run, ...done };
      }
      const faults = [...wrong, ...(await findTakenIds(deps.directory, products))].toSorted((left, right) => left.line - right.line);
      const success = faults.length === 0;
      const report = {
        success,
        dry_run: query.dry_run,
        import_id: importId,
        products: products.length,
        preview,
        faults: faults.slice(0, MAX_REPORTED),
      };
      if (query.dry_run || faults.length > 0) return { ...report, imported: false, imported_before: false };
      const outcome = await importProducts(deps, { importId, products, prices: query.prices }, actor);
      if (outcome === "id_taken") conflict("Another product has just taken one of these ids. Run it again for a report.");
      // Another request may have imported the file at the same time.
      const wasBefore = outcome === "imported_before" && isRepeat(await pricesImported(deps.directory, importId), query.prices);
      return { ...report, imported: true, imported_before: wasBefore };
    },
  }),
];
