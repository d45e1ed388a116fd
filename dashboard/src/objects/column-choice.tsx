import { ActionIcon, Checkbox, Popover, Stack } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { ColumnsIcon } from "@primer/octicons-react";
import { texts } from "../texts/index.ts";
import { toggled } from "./hidden-columns.ts";

/** The columns of a list that a person has hidden, in this browser. */
export const useHiddenColumns = (list: string) =>
  useLocalStorage<string[]>({ key: `hidden columns of ${list}`, defaultValue: [], getInitialValueInEffect: false });

interface ColumnChoiceProps {
  readonly headers: readonly string[];
  readonly hidden: readonly string[];
  readonly setHidden: (hidden: string[]) => void;
}

/** Lets a person choose which columns a list has. */
export function ColumnChoice({ headers: [, ...headers], hidden, setHidden }: ColumnChoiceProps) {
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={30} aria-label={texts.list.columns} title={texts.list.columns}>
          <ColumnsIcon size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {headers.map((header) => (
            <Checkbox
              key={header}
              size="xs"
              label={header}
              checked={!hidden.includes(header)}
              onChange={() => setHidden(toggled(hidden, header))}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
