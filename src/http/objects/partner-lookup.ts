import type { Deps } from "../../deps.ts";
import { findPartner, type PartnerRow } from "../../partners/admin/partners.ts";
import type { LocatedPartner } from "../../partners/read-location.ts";
import { notFound } from "../calls/refusal.ts";

/** @throws CallRefusal 404 */
export async function requirePartner({ directory }: Pick<Deps, "directory">, id: string): Promise<PartnerRow> {
  return (await findPartner(directory, id)) ?? noPartner(id);
}

export function noPartner(id: string): never {
  notFound(`There is no partner ${id}. \`partners list\` shows all.`);
}

/** The current location of a partner's data. @throws CallRefusal 404 */
export async function requireLocation(deps: Pick<Deps, "directory" | "locationOf">, id: string): Promise<LocatedPartner> {
  await requirePartner(deps, id);
  return (await deps.locationOf(id, { fresh: true })) ?? notFound(`The cells of ${id} are damaged in the directory.`);
}
