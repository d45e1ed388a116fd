/** A cell of a local stack beyond those of wrangler.toml. */
export interface FurtherCell {
  readonly binding: `CELL_${number}`;
  readonly database_name: string;
  /** Names the local database. */
  readonly database_id: string;
  readonly migrations_dir: string;
}

/** A local stack, chaos and the tests have no more cells: more would show nothing else. */
export const MAX_LOCAL_CELLS = 9;

/** The cells that a local stack with so many has beside the first one. */
export function furtherCells(count: number): FurtherCell[] {
  return Array.from({ length: Math.max(0, count - 1) }, (_, index) => ({
    binding: `CELL_${index + 2}` as const,
    database_name: `local-cell-${index + 2}`,
    database_id: `local-cell-${index + 2}`,
    migrations_dir: "migrations/cell",
  }));
}
