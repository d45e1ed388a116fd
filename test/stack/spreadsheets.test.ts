import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePorts } from "../../tools/local/ports.ts";
import { startCommand } from "./command.ts";
import { hasRuntime } from "./runtimes.ts";
import { isFull } from "./scale.ts";
import { startTemporary } from "./temporary.ts";

/** The spreadsheets of three countries, with the separator that each expects and Windows' number of its locale. */
const SPREADSHEETS = [
  ["en-US", ",", 1033],
  ["de-DE", ";", 1031],
  ["ru-RU", ";", 1049],
] as const;

const KEY = { "X-Partner-Api-Key": "a0000000-0000-4000-8000-000000000001" };

/** The days of the month before this one, in UTC, as the fixtures' partner has it. */
function lastMonth(): { readonly from: string; readonly to: string } {
  const now = new Date();
  const day = (month: number, date: number) => new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10);
  return { from: day(now.getUTCMonth() - 1, 1), to: day(now.getUTCMonth(), 0) };
}

/** The cells of a CSV file as LibreOffice of a locale reads them: the type and the value of each, row by row. */
async function opened(csv: string, locale: number, separator: string): Promise<(readonly [type: string, value: string])[][]> {
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-sheet-"));
  try {
    await writeFile(join(folder, "file.csv"), csv);
    // Separator, quotes, UTF-8, first line, no columns, language, quoted cells are not text only by that, special numbers are detected.
    const filter = `--infilter=CSV:${separator.charCodeAt(0)},34,76,1,,${locale},false,true`;
    const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
    const command = [profile, "--headless", filter, "--convert-to", "fods", "--outdir", folder, join(folder, "file.csv")];
    const { status, stderr } = spawnSync("soffice", command, { timeout: 120_000 });
    expect([status, status === 0 ? "" : stderr.toString()]).toEqual([0, ""]);
    const text = await readFile(join(folder, "file.fods"), "utf8");
    return [...text.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = ""]) => cellsOf(row));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cellsOf(row: string): (readonly [type: string, value: string])[] {
  return [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(([, attributes = "", inside = ""]) => {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
    const cell = [of("office:value-type") ?? "", of("office:value") ?? of("office:date-value") ?? /<text:p>(.*?)</.exec(inside)?.[1] ?? ""];
    return Array.from(
      { length: Math.min(100, Number(of("table:number-columns-repeated") ?? 1)) },
      () => [cell[0] ?? "", cell[1] ?? ""] as const,
    );
  });
}

describe.runIf(isFull && hasRuntime(["soffice", "--version"]))("the orders of a month, as LibreOffice opens them", () => {
  let stack: Awaited<ReturnType<typeof startTemporary>> | undefined;
  beforeAll(async () => {
    stack = await startTemporary({
      fixtures: false,
      async prepare(stateDir) {
        const [PORT = 0] = await freePorts(1);
        const { code, output } = await startCommand("seed", ["--payments", "300", "--days", "70"], {
          STATE_DIR: stateDir,
          PORT: String(PORT),
        });
        expect([code, output]).toEqual([0, expect.stringContaining("Done.")]);
      },
    });
  });
  afterAll(() => stack?.stop());

  const read = async (path: string) => {
    const response = await fetch(`${stack?.edge}/partner/${path}`, { headers: KEY });
    expect(response.status).toBe(200);
    return response.text();
  };

  it.each(SPREADSHEETS)("in %s: the sum of the net column is the report's", async (locale, separator, number) => {
    const { from, to } = lastMonth();
    const report = JSON.parse(await read(`reports/sales?from=${from}&to=${to}&by=currency&environment=live`)) as {
      readonly totals: readonly { readonly currency: string; readonly net: number }[];
    };
    // Every movement of the month: the orders' own sums also have what happened to them in other months.
    const csv = await read(`exports/movements?since=${from}&until=${to}&environment=live&locale=${locale}`);
    const [header = [], ...rows] = await opened(csv, number, separator);
    const at = (name: string) => header.findIndex(([, title]) => title === name);
    const sums = new Map<string, number>();
    for (const row of rows) {
      const [type, value] = row[at("net_amount")] ?? ["", ""];
      if (type === "") continue;
      expect([type, row[at("transaction_date")]?.[0]]).toEqual(["float", "date"]);
      const currency = row[at("currency")]?.[1] ?? "";
      sums.set(currency, (sums.get(currency) ?? 0) + Math.round(Number(value) * 100));
    }
    const cards = report.totals.filter(({ currency }) => currency !== "RUB");
    expect(cards.length).toBeGreaterThan(0);
    expect(Object.fromEntries(sums)).toEqual(Object.fromEntries(cards.map(({ currency, net }) => [currency, Math.round(net * 100)])));
  });
});
