import { Select } from "@mantine/core";
import { texts } from "../texts/index.ts";
import type { SortableColumn } from "./use-sorting.ts";

/** Sorts a table on a phone, where not every column has a place for its header. */
export function SortChoice({ sortable }: { readonly sortable: readonly SortableColumn[] }) {
  const choices = sortable.flatMap((column) =>
    [true, false].map((isDown) => ({ column, isDown, value: `${column.header} ${isDown ? "↓" : "↑"}` })),
  );
  const now = choices.find(({ column, isDown }) => column.direction === (isDown ? "descending" : "ascending"));
  return (
    <Select
      size="xs"
      m="xs"
      hiddenFrom="sm"
      aria-label={texts.list.sort}
      placeholder={texts.list.sort}
      data={choices.map(({ value }) => value)}
      value={now?.value ?? null}
      onChange={(wanted) => {
        const choice = choices.find(({ value }) => value === wanted);
        choice?.column.set(choice.isDown);
      }}
      allowDeselect={false}
    />
  );
}
