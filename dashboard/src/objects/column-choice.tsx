import { ActionIcon, Checkbox, Popover, Stack } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { ColumnsIcon } from "@primer/octicons-react";
import { texts } from "../texts/index.ts";
import { toggled } from "./hidden-columns.ts";

/**
 * The places of the columns that a person has hidden in this browser: headers change with the language. A list with another number of
 * columns, such as that of all partners, has a choice of its own.
 */
export const useHiddenColumns = (list: string, columns: number) =>
  useLocalStorage<number[]>({ key: `hidden of ${columns} columns of ${list}`, defaultValue: [], getInitialValueInEffect: false });

interface ColumnChoiceProps {
  readonly headers: readonly string[];
  readonly hidden: readonly number[];
  readonly setHidden: (hidden: number[]) => void;
}

/** Lets a person choose which columns a list has. */
export function ColumnChoice({ headers, hidden, setHidden }: ColumnChoiceProps) {
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={30} aria-label={texts.list.columns} title={texts.list.columns}>
          <ColumnsIcon size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {headers.map(
            (header, place) =>
              place > 0 && (
                <Checkbox
                  key={header}
                  size="xs"
                  label={header}
                  checked={!hidden.includes(place)}
                  onChange={() => setHidden(toggled(hidden, place))}
                />
              ),
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
