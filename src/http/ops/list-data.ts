import type { Environment } from "../../core/environment.ts";
import type { Deps } from "../../deps.ts";
import { pageOfAll, reachableCells } from "../../partners/list-of-all.ts";
import { ownPage } from "../calls/lists.ts";
import { periodOf } from "../calls/paging.ts";
import { requireLocation } from "./calls/partners.ts";

interface Asked {
  readonly partner?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

type Read<Row extends { readonly id: string; readonly at: number }> = Parameters<typeof pageOfAll<Row>>[2];

/**
 * A page of the list that an operator asks for: the rows of one partner, or of all partners, newest first. `read` reads
 * the list of some cells. @throws CallRefusal 404 for an unknown partner; ServiceFailure `invalid_input` for a wrong cursor.
 */
export async function listed<Row extends { readonly id: string; readonly at: number }>(deps: Deps, asked: Asked, read: Read<Row>) {
  const { partner, since, until } = asked;
  const period = periodOf({ since, until });
  const data = partner === undefined ? null : reachableCells(deps, deps.ofPartner(await requireLocation(deps, partner)).data.cells);
  return ownPage({ partnerId: partner ?? "" }, asked, (list) =>
    data === null ? pageOfAll(deps, { ...list, period }, read) : read(data, { ...list, period }),
  );
}
