import type { Environment } from "../../core/environment.ts";
import type { CellDeps, Deps } from "../../deps.ts";
import type { searchMovements } from "../../ledger/search-movements.ts";
import { allPartnerIds } from "../../partners/location-store.ts";
import { ownList } from "../calls/lists.ts";
import { periodOf } from "../calls/paging.ts";
import { requireLocation } from "./calls/partners.ts";

/** The cells of a list, and whose rows it has. */
type ListData = Parameters<typeof searchMovements>[0];
type OwnList = Parameters<typeof searchMovements>[1];

/** The reachable ones of some cells, as a list reads them. */
export function reachable(deps: Pick<Deps, "askDatabase">, cells: readonly CellDeps[]): ListData {
  return {
    async each<Answer>(ask: (own: CellDeps) => Promise<Answer>) {
      // The array keeps an answer of null apart from no answer.
      const found = await Promise.all(cells.map((cell) => deps.askDatabase(cell.databaseName, async () => [await ask(cell)])));
      return found.flatMap((answer) => answer ?? []);
    },
  };
}

interface Asked {
  readonly partner?: string | undefined;
  readonly environment: Environment;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * The list that an operator asks for, and the cells that have its rows: those of one partner, or of all partners.
 * @throws CallRefusal 404 for an unknown partner; ServiceFailure `invalid_input` for a wrong cursor.
 */
export async function askedList(deps: Deps, asked: Asked): Promise<{ readonly data: ListData; readonly list: OwnList }> {
  const { partner, since, until } = asked;
  const page = { ...ownList({ partnerId: partner ?? "" }, asked), period: periodOf({ since, until }) };
  if (partner !== undefined) {
    const own = deps.ofPartner(await requireLocation(deps, partner));
    return { data: reachable(deps, own.data.cells), list: page };
  }
  const ids = await allPartnerIds(deps.directory);
  return { data: reachable(deps, deps.everyCell()), list: { ...page, partnerId: { ids, now: deps.clock.now() } } };
}
