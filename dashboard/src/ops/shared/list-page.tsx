import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { DownloadIcon, FilterIcon, TrashIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { messageOf } from "../../api/failure.ts";
import { saveCsv } from "../../shared/csv.ts";
import type { Column } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { type Filter, Filters } from "../../shared/filters.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { texts } from "../../texts/index.ts";
import { words } from "../texts.ts";
import { useSearchTexts } from "./address.ts";
import { missingIn } from "./out-of-reach.tsx";

const { lists: own } = words;

interface ListQuery<Row> {
  readonly data: { readonly data: readonly Row[]; readonly next: string | null } | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

interface BrowseProps<Row extends object> {
  /** Names the list, for saved filters and the file. */
  readonly name: string;
  readonly label: string;
  readonly query: ListQuery<Row>;
  readonly columns: readonly Column<Row>[];
  readonly filters: readonly Filter[];
  readonly keyOf: (row: Row) => string;
  readonly pageOf?: (row: Row) => string | null;
  /** Reads a page for the file. */
  readonly read: (cursor: string | undefined) => Promise<{ readonly data: readonly Row[]; readonly next: string | null }>;
  readonly none?: string;
  readonly noneNext?: ReactNode;
}

/** A list to browse: filters in the address, filters to keep, pages, and a file for a spreadsheet. */
export function Browse<Row extends object>({
  name,
  label,
  query,
  columns,
  filters,
  keyOf,
  pageOf,
  read,
  none,
  noneNext,
}: BrowseProps<Row>) {
  const search = useSearchTexts();
  const isFiltered = filters.some((filter) => search[filter.name] !== undefined);
  return (
    <Stack>
      <Group justify="space-between" align="flex-end" gap="sm">
        <Filters filters={filters} />
        <Group gap="xs">
          <SavedFilters list={name} names={filters.map((filter) => filter.name)} />
          <SaveButton name={name} read={read} />
        </Group>
      </Group>
      <PagedList
        label={label}
        query={query}
        columns={columns}
        keyOf={keyOf}
        pageOf={pageOf}
        empty={
          <Empty
            title={isFiltered ? texts.list.noMatchTitle : (none ?? own.none)}
            next={isFiltered ? texts.list.noMatch : (noneNext ?? own.noneNext)}
          />
        }
      />
    </Stack>
  );
}

/** Rows that a file has at most. */
const MOST_SAVED = 20_000;
/** Pages that are read for a file at most: a rare filter finds few rows on each. */
const MOST_ASKED = 300;

function SaveButton<Row extends object>({ name, read }: Pick<BrowseProps<Row>, "name" | "read">) {
  const [said, setSaid] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  // A person who has left the page waits for no file.
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const save = async () => {
    setBusy(true);
    setSaid(null);
    try {
      const rows: Row[] = [];
      let cursor: string | undefined;
      let asked = 0;
      do {
        const page = await read(cursor);
        asked += 1;
        if (missingIn(page) !== null) throw new Error(own.notWhole);
        rows.push(...page.data);
        cursor = page.next ?? undefined;
        setSaid(own.saved(rows.length));
      } while (cursor !== undefined && rows.length < MOST_SAVED && asked < MOST_ASKED && isHere.current);
      if (!isHere.current) return;
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      saveCsv(
        `${name}.csv`,
        columns,
        rows.map((row) => flat(row)),
      );
      setSaid(cursor === undefined ? null : own.tooMany(rows.length));
    } catch (thrown) {
      setSaid(messageOf(thrown));
    }
    setBusy(false);
  };
  return (
    <>
      {said !== null && (
        <Text size="xs" role="status">
          {said}
        </Text>
      )}
      <Button size="xs" variant="default" loading={isBusy} onClick={() => void save()} leftSection={<DownloadIcon size={14} aria-hidden />}>
        {own.save}
      </Button>
    </>
  );
}

/** A row whose values are texts and numbers. */
function flat(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "object" && value !== null ? JSON.stringify(value) : value]),
  );
}

type View = Readonly<Record<string, string>>;

/** Sets of filters that a person keeps, by name, in this browser. */
function SavedFilters({ list, names }: { readonly list: string; readonly names: readonly string[] }) {
  const search = useSearchTexts();
  const navigate = useNavigate();
  const [views, setViews] = useLocalStorage<Record<string, View>>({
    key: `filters of ${list}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const [isOpen, { open, close }] = useDisclosure();
  const [name, setName] = useState("");
  const wanted = [...names, "env"];
  const now = Object.fromEntries(wanted.flatMap((one) => (search[one] === undefined ? [] : [[one, search[one]]])));
  const use = (view: View) =>
    void navigate({
      to: ".",
      search: (before: object) => ({ ...before, ...Object.fromEntries(wanted.map((one) => [one, undefined])), ...view, cursor: undefined }),
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<FilterIcon size={14} aria-hidden />}>
            {own.views}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(views).map(([view, filters]) => (
            <Group key={view} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => use(filters)}>{view}</Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={own.remove(view)}
                onClick={() => setViews((before) => Object.fromEntries(Object.entries(before).filter(([one]) => one !== view)))}
              >
                <TrashIcon size={14} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          {Object.keys(views).length > 0 && <Menu.Divider />}
          <Menu.Item onClick={open}>{own.saveView}</Menu.Item>
          <Menu.Label>{own.viewsWhat}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isOpen} onClose={close} title={own.saveView}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setViews((before) => ({ ...before, [name.trim()]: now }));
            close();
          }}
        >
          <Stack>
            <TextInput
              label={own.viewName}
              value={name}
              required
              maxLength={60}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button type="submit" disabled={name.trim() === ""}>
                {own.saveView}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
