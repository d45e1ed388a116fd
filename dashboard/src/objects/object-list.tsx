import { Box, Button, Group, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMatch } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { audience } from "../api/audience.ts";
import type { AnswerOf, ListPath, PageOf, RowOf } from "../api/paths.ts";
import { noteList } from "../shared/address.ts";
import type { Column } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { type Filter, Filters } from "../shared/filters.tsx";
import { PagedList } from "../shared/paged-list.tsx";
import { useSearchTexts } from "../shared/search-texts.ts";
import { shownZone } from "../shared/time-zone.ts";
import { texts } from "../texts/index.ts";
import { ColumnChoice, useHiddenColumns } from "./column-choice.tsx";
import { withoutHidden } from "./hidden-columns.ts";
import { isFiltered, listQuery } from "./list-query.ts";
import { firstWithRows } from "./read-page.ts";
import { SaveButton } from "./save-button.tsx";
import { SavedFilters } from "./saved-filters.tsx";
import { useChosen } from "./use-chosen.ts";

/** A list of objects, by its row and its answer. */
export interface ListOf<Row, Answer = unknown> {
  /** The partner's call, whose operators' lists come from the call of the same definition; or one that only operators have. */
  readonly path: string;
  /** Names the list, for what this browser keeps of it. */
  readonly name: string;
  readonly label: string;
  /** The filters that both have; some depend on others that are set. */
  readonly filters?: (set: Readonly<Record<string, string | undefined>>) => readonly Filter[];
  /** What the period of its filters is one of. */
  readonly periodLabel?: string;
  /** What every such list is narrowed to. */
  readonly always?: Readonly<Record<string, string>>;
  /** Whether the rows have an environment each, and whether an operator can list those of all partners. */
  readonly hasEnvironment?: boolean;
  readonly isOfAll?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly pageOf?: (row: Row) => string | null;
  /** What the whole selection comes to, above its page. */
  readonly summary?: (answer: Answer) => ReactNode;
  /** The list's export, as in its path; left out: it has none. */
  readonly file?: string;
  /** Whether rows can be saved alone: they have ids. */
  readonly hasChoice?: boolean;
  readonly none: string;
  readonly noneNext?: string;
}

/** A list that is said once for partners and operators. */
export type ObjectListOf<Path extends ListPath> = ListOf<RowOf<Path>, AnswerOf<Path>> & { readonly path: Path };

export interface Owned {
  readonly partner_id?: string | null;
}

interface ObjectListProps<Row, Answer> {
  readonly of: ListOf<Row, Answer>;
  /** What the list is always narrowed to, such as one partner or one product. Such a filter is not shown. */
  readonly only?: Readonly<Record<string, string>> | undefined;
  /** How many rows a page of it has; left out: as many as a list of its own. */
  readonly size?: number | undefined;
  /** What can be done where there is nothing yet. */
  readonly action?: ReactNode;
  /** What only one audience has: further columns and filters. A filter stands in place of the list's own by the same name. */
  readonly columns?: readonly Column<Row>[];
  readonly filters?: readonly Filter[];
  /** What is done with the rows that a person has chosen. */
  readonly withChosen?: (chosen: readonly string[], clear: () => void) => ReactNode;
}

const NOTHING = {};

/** Objects to browse: filters in the address, filters to keep, pages, rows to choose, and a file for a spreadsheet. */
export function ObjectList<Row extends Owned, Answer>(props: ObjectListProps<Row, Answer>) {
  const { of, only = NOTHING, size, action, columns = [], filters = [], withChosen } = props;
  const { hasEnvironment = true, isOfAll = true, hasChoice = of.file !== undefined } = of;
  const search = useSearchTexts();
  const ofBoth = of.filters?.(search) ?? [];
  const isOperator = audience().name === "operator";
  const shown = [
    ...(isOperator && hasEnvironment && !("environment" in only) ? [environmentFilter] : []),
    ...(isOperator && isOfAll && !("partner" in only) ? [partnerFilter] : []),
    ...ofBoth.map((own) => filters.find(({ name }) => name === own.name) ?? own),
    ...filters.filter(({ name }) => !ofBoth.some((own) => own.name === name)),
  ]
    .filter(({ name }) => !(name in only))
    .map(isOperator && ("partner" in only || search.partner !== undefined) ? inPartnersZone : (filter) => filter);
  const names = shown.map(({ name }) => name).filter((name) => name !== environmentFilter.name);
  // An order of its own needs one partner's rows.
  const isOfOne = !isOperator || "partner" in only || search.partner !== undefined;
  const own: readonly Column<Row>[] = isOfOne ? of.columns : withoutSorts(of.columns);
  // An order whose filter is not set means nothing: it is not asked for.
  const isSorted = own.some(
    ({ sort, sortNeeds }) =>
      sort !== undefined && sort === search.sort?.replace(/^-/, "") && (!sortNeeds || search[sortNeeds.filter] !== undefined),
  );
  const narrowed = listQuery(search, { filters: names, hasEnvironment, only: { ...of.always, ...only }, size });
  const query = listQuery(search, {
    filters: isSorted ? [...names, "sort"] : names,
    hasEnvironment,
    only: { ...of.always, ...only },
    size,
  });
  const list = useQuery({
    queryKey: [of.path, query],
    queryFn: () => firstWithRows((cursor) => askPage<Row, Answer>(of.path, cursor === undefined ? query : { ...query, cursor })),
    placeholderData: keepPreviousData,
  });
  // The list's own page: while another one is loaded, the address is that of the other already.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  useEffect(() => noteList(pathname, search), [pathname, search]);
  const isNarrowed = isFiltered(search, names);
  const all = [...withOwner(own, isOperator && isOfAll && !("partner" in only)), ...columns];
  const [hidden, setHidden] = useHiddenColumns(of.name, all.length);
  const { choice, clear } = useChosen(JSON.stringify(query), list.data?.data.map(of.keyOf) ?? []);
  const isChosen = choice.chosen.length > 0;
  return (
    <Stack gap="sm">
      <Filters filters={shown} periodLabel={of.periodLabel} />
      <Group justify="space-between" align="flex-start" gap="sm">
        {/* Of nothing, a count that would be too long to know says more than there is. */}
        <Box flex="1 1 420px" miw={0}>
          {list.data !== undefined && hasRows(list.data) && of.summary?.(list.data)}
        </Box>
        <Group gap="xs">
          {shown.length > 0 && <SavedFilters list={of.name} names={names} />}
          <ColumnChoice headers={all.map(({ header }) => header)} hidden={hidden} setHidden={setHidden} />
          {of.file !== undefined && <SaveButton file={of.file} query={narrowed} />}
        </Group>
      </Group>
      <Group gap="xs">
        {isChosen && (
          <Text size="sm" role="status">
            {texts.list.chosen(choice.chosen.length)}
          </Text>
        )}
        {isChosen && of.file !== undefined && (
          <SaveButton file={of.file} query={{ ...narrowed, chosen: choice.chosen.join(",") }} label={texts.list.saveChosen} />
        )}
        {withChosen?.(choice.chosen, clear)}
        {isChosen && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {texts.list.chooseNone}
          </Button>
        )}
      </Group>
      <PagedList
        label={of.label}
        query={list}
        columns={withoutHidden(all, hidden)}
        keyOf={of.keyOf}
        pageOf={of.pageOf}
        choice={hasChoice || withChosen !== undefined ? choice : undefined}
        empty={
          <Empty
            title={isNarrowed ? texts.list.noMatchTitle : of.none}
            next={
              isNarrowed ? (isReversed(search) ? texts.list.endsBefore : texts.list.noMatch) : only === NOTHING ? of.noneNext : undefined
            }
            action={isNarrowed ? undefined : action}
          />
        }
      />
    </Stack>
  );
}

/** The environment of an operator's list. A partner has the switch in the head of every page. */
export const environmentFilter: Filter = {
  kind: "choice",
  name: "env",
  label: texts.environment.label,
  choices: ["live", "test"],
  fallback: "live",
};
const partnerFilter: Filter = { kind: "text", name: "partner", label: texts.list.partner };

/** The filters of a list by amount. An amount means nothing without its currency. */
export const amountFilters = (currencies: readonly string[], set: string | undefined): readonly Filter[] => [
  { kind: "choice", name: "currency", label: texts.common.currency, choices: currencies },
  ...(set === undefined
    ? []
    : ([
        { kind: "number", name: "amount_from", label: texts.list.atLeast },
        { kind: "number", name: "amount_to", label: texts.list.atMost },
      ] as const)),
];

/** What sorting by an amount needs. */
export const byCurrency = { filter: "currency", why: texts.list.sortNeeds };

/** The filters of a list by time. Their days are those of the shown zone. */
export const periodFilters = (): readonly Filter[] => [
  { kind: "date", name: "since", label: texts.list.since(shownZone()) },
  { kind: "date", name: "until", label: texts.list.until(shownZone()) },
];

/** The Worker takes the days of one partner's rows for days of the partner's time zone, which the console does not show. */
const inPartnersZone = (filter: Filter): Filter =>
  filter.kind === "date"
    ? { ...filter, label: { since: texts.list.sinceThere, until: texts.list.untilThere }[filter.name] ?? filter.label }
    : filter;

/** The columns of rows that the Worker does not sort there. */
const withoutSorts = <Row,>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.map(({ sort: _sort, sortNeeds: _needs, ...column }) => column);

/** The columns with that of the partner, after the first two. */
function withOwner<Row extends Owned>(columns: readonly Column<Row>[], isShown: boolean) {
  if (!isShown) return columns;
  const { PartnerLink } = audience();
  const owner: Column<Row> = {
    header: texts.list.partner,
    from: "sm",
    sortBy: (row) => row.partner_id ?? null,
    cell: (row) => <PartnerLink id={row.partner_id ?? null} />,
  };
  return [...columns.slice(0, 2), owner, ...columns.slice(2)];
}

/** Whether a period ends before it begins. */
const isReversed = ({ since, until }: Readonly<Record<string, string | undefined>>): boolean =>
  since !== undefined && until !== undefined && until < since;

const hasRows = ({ data, next }: PageOf<unknown>): boolean => data.length > 0 || next !== null;

/** @throws CallFailure as the Worker refuses */
async function askPage<Row, Answer>(path: string, query: Readonly<Record<string, string | number>>): Promise<Answer & PageOf<Row>> {
  // The types of one list among all are lost here. The description says what each takes and answers, and the Worker checks the query.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { data } = await audience().client.GET(path as "/partner/links", { params: { query } });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data as unknown as Answer & PageOf<Row>;
}
