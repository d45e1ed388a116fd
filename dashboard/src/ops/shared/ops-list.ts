import type { ListOf, Owned } from "../../objects/object-list.tsx";
import type { Column } from "../../shared/data-table.tsx";
import type { AnswerOf, RowOf } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";

/** A list that only operators have. */
export type OpsListOf<Path extends keyof paths> = ListOf<RowOf<Path> & Owned, AnswerOf<Path>> & { readonly path: Path };

/** Columns of what only an operator's row has, beside the list of both audiences. */
export const ofOperators = <Own, Shared>(columns: readonly Column<Own>[]) =>
  // The rows come from the operators' call, which answers these fields.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  columns as unknown as readonly Column<Shared>[];
