import { listBankProblems } from "../../../bank-payments/admin.ts";
import { countInReview } from "../../../catalogue/admin/store.ts";
import { earliestOf, isoTime } from "../../../core/clock.ts";
import type { Deps } from "../../../deps.ts";
import { ledgerStatus } from "../../../ledger/admin.ts";
import { listWaitingLinks } from "../../../links/admin/waiting.ts";
import { listUnhealthyEndpoints } from "../../../webhooks/admin/admin.ts";
import type { OpsCall } from "../call.ts";
import { figuresOf } from "../calls/figures.ts";
import { Charts } from "./figures.tsx";
import { titleOf } from "./forms.tsx";
import { pageOfCall } from "./links.ts";

/** Rows of a list that are counted; more are shown as "and more". */
const MOST = 100;

/** One kind of what waits for a person. */
interface Tile {
  readonly name: string;
  readonly count: number;
  /** Since when the oldest waits, in Unix milliseconds; null if nothing waits, or if it is not known. */
  readonly oldest: number | null;
  readonly page: string;
}

/** What waits for a person, of all kinds. */
async function tilesOf(deps: Deps): Promise<Tile[]> {
  const [ledger, bank, products] = await Promise.all([ledgerStatus(deps), listBankProblems(deps), countInReview(deps.directory)]);
  const inCells = deps.cells.map((cell) => deps.inCell(cell));
  const links = (await Promise.all(inCells.map(({ db }) => listWaitingLinks(db, { begunAt: 0, id: "" }, MOST)))).flat();
  const endpoints = (await Promise.all(inCells.map((cell) => listUnhealthyEndpoints(cell, undefined, MOST)))).flat();
  return [
    { name: "Products to moderate", count: products.count, oldest: products.oldest, page: pageOfCall("products waiting") },
    {
      name: "Links without a short link",
      count: links.length,
      oldest: earliestOf(links.map(({ since }) => since)),
      page: pageOfCall("short-links waiting"),
    },
    { name: "Webhooks in trouble", count: endpoints.length, oldest: null, page: pageOfCall("endpoints list") },
    {
      name: "Movements without a partner",
      count: ledger.unattributed.count,
      oldest: ledger.unattributed.oldest,
      page: pageOfCall("movements waiting"),
    },
    {
      name: "Parked payments",
      count: ledger.parked.count,
      oldest: ledger.parked.oldest,
      page: pageOfCall("parked-payments list"),
    },
    {
      name: "Bank notifications not applied",
      count: bank.count,
      oldest: bank.oldest,
      page: pageOfCall("bank-notifications waiting"),
    },
  ];
}

/** What the first page shows: what waits for a person, and the figures of all partners. Bounded queries. */
export async function overviewOf(deps: Deps) {
  const [tiles, figures] = await Promise.all([tilesOf(deps), figuresOf(deps, { environment: "live" })]);
  return { tiles, figures };
}

type OverviewProps = Awaited<ReturnType<typeof overviewOf>> & { readonly calls: readonly OpsCall[] };

export function Overview({ tiles, figures, calls }: OverviewProps) {
  return (
    <>
      <h2>What waits for a person</h2>
      <ul class="tiles">
        {tiles.map(({ name, count, oldest, page }) => (
          <li>
            <a href={page}>{name}</a>
            <strong class={count === 0 ? "good" : "bad"}>{count >= MOST ? `${MOST} and more` : count}</strong>
            <span class="hint">{oldest === null ? " " : `oldest since ${isoTime(oldest).slice(0, 16).replace("T", " ")} UTC`}</span>
          </li>
        ))}
      </ul>
      <h2>The last {figures.days.length} days, live</h2>
      <Charts figures={figures} />
      <h2>Everything that can be looked at or done</h2>
      <ul class="calls">
        {calls.map((call) => (
          <li>
            <a href={pageOfCall(call.command)}>{titleOf(call)}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
