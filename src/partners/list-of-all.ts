import type { Clock } from "../core/clock.ts";
import type { AskDatabase } from "../db/all-databases.ts";
import type { Directory, NamedCell } from "../db/client.ts";
import { type ListData, mergePages, type NewestPage, type OwnList, type SummedData } from "../db/newest-page.ts";
import type { Dated, PartnerData } from "../db/partner-data.ts";
import { type Cells, partnersByCell } from "./location-store.ts";

export type { ListData, NewestPage, OwnList } from "../db/newest-page.ts";
export type { Dated } from "../db/partner-data.ts";
export { countIn, type RowOf, type SelectionList } from "../db/selection.ts";

/** The reachable ones of some cells, as a list reads them. */
export function reachableCells<Own extends NamedCell>({ askDatabase }: { readonly askDatabase: AskDatabase }, cells: readonly Own[]) {
  return {
    async each<Answer>(ask: (own: Own) => Promise<Answer>): Promise<Answer[]> {
      // The array keeps an answer of null apart from no answer.
      const found = await Promise.all(cells.map((cell) => askDatabase(cell.databaseName, async () => [await ask(cell)])));
      return found.flatMap((answer) => answer ?? []);
    },
  };
}

class OutOfReach extends Error {
  override readonly name = "OutOfReach";
}

/**
 * A partner's data without the cells that are out of reach. The sums are those of `data` while all of them answer, and otherwise those of
 * the others, in which a row that is being copied may count twice.
 */
export function withinReach<Own extends NamedCell>(deps: { readonly askDatabase: AskDatabase }, data: PartnerData<Own>): SummedData {
  const cells = reachableCells(deps, data.cells);
  const within = async <Answer>(own: Own, work: (cell: Own) => Promise<Answer>): Promise<Answer> => {
    // The object keeps an answer of null apart from no answer.
    const answered = await deps.askDatabase(own.databaseName, async () => ({ answer: await work(own) }));
    if (answered === null) throw new OutOfReach();
    return answered.answer;
  };
  return {
    ...cells,
    async sums(copied, ask) {
      try {
        return await data.sums(
          (own, until) => within(own, (cell) => copied(cell, until)),
          (own, without) => within(own, (cell) => ask(cell, without)),
        );
      } catch (thrown) {
        if (!(thrown instanceof OutOfReach)) throw thrown;
        return cells.each((own) => ask(own, []));
      }
    },
  };
}

interface ListDeps {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly everyCell: () => readonly NamedCell[];
  readonly askDatabase: AskDatabase;
}

/**
 * A page of a list of all partners. Each cell is asked for the partners whose data is in it, so that a copy which a move
 * makes or leaves behind is not listed. `read` reads the list in some cells.
 */
export async function pageOfAll<Row extends Dated>(
  deps: ListDeps,
  page: Omit<OwnList, "partnerId">,
  read: (data: ListData, list: OwnList) => Promise<NewestPage<Row>>,
  which: Cells = "all",
): Promise<NewestPage<Row>> {
  const now = deps.clock.now();
  const idsIn = await partnersByCell(deps.directory, which);
  const pages = await Promise.all(
    deps.everyCell().map((cell) => read(reachableCells(deps, [cell]), { ...page, partnerId: { ids: idsIn(cell.databaseName), now } })),
  );
  return mergePages(pages, page.limit);
}

/** Cells whose rows are summed as they are. Of all partners together, a row that is being copied may count in both cells. */
export const summedIn = (cells: ListData): SummedData => ({ ...cells, sums: (_copied, ask) => cells.each((own) => ask(own, [])) });

/** Reads the rows of some partners in some cells. */
export type ReadAll<Answer> = (data: SummedData, owner: OwnList["partnerId"]) => Promise<Answer>;

/** The answers of all reachable cells, each asked for the partners whose data is in it, as {@link pageOfAll} asks. */
export async function ofAllCells<Answer>(deps: ListDeps, read: ReadAll<Answer>, which: Cells = "all"): Promise<Answer[]> {
  const now = deps.clock.now();
  const idsIn = await partnersByCell(deps.directory, which);
  return Promise.all(deps.everyCell().map((cell) => read(summedIn(reachableCells(deps, [cell])), { ids: idsIn(cell.databaseName), now })));
}
