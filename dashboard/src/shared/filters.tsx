import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { FilterIcon, XIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { texts } from "../texts/index.ts";
import { OF_ENVIRONMENT } from "./address.ts";
import { datesOf, type PeriodName, periodNames, periodWith } from "./periods.ts";
import { type Texts, useSearchTexts } from "./search-texts.ts";
import { shownZone } from "./time-zone.ts";
import { useTyped } from "./use-typed.ts";

/** One filter of a list. It stands in the address under its name. */
export type Filter =
  | {
      readonly kind: "choice";
      readonly name: string;
      readonly label: string;
      readonly choices: readonly string[];
      /** The words of choices that are no status. */
      readonly words?: Readonly<Record<string, string>>;
      readonly fallback?: string;
    }
  | { readonly kind: TypedKind; readonly name: string; readonly label: string };

type TypedKind = "text" | "date" | "number";

/** Filters that mean nothing without another one. */
const DEPENDANTS: Readonly<Record<string, readonly string[]>> = {
  env: OF_ENVIRONMENT,
  currency: ["amount_from", "amount_to"],
  // Other dates are no longer the named period.
  since: ["period"],
  until: ["period"],
};

const withoutDependants = (name: string) => Object.fromEntries((DEPENDANTS[name] ?? []).map((one) => [one, undefined]));

/** In milliseconds: the list waits for the end of typing. */
const TYPING = 400;
const WIDTHS: Readonly<Record<TypedKind, number>> = { text: 130, date: 140, number: 110 };

interface FiltersProps {
  readonly filters: readonly Filter[];
  /** The period where no date is set; left out: all time. */
  readonly usual?: PeriodName;
  /** What its period is one of, such as the days of orders. */
  readonly periodLabel?: string | undefined;
}

/** The filters of a list. A change begins at the first page again. */
export function Filters({ filters, usual, periodLabel = texts.list.period }: FiltersProps) {
  const search = useSearchTexts();
  const navigate = useNavigate();
  const change = (name: string, value: string | undefined) => {
    // Dates that a person types stay to be typed, whatever they come to.
    if (name === "since" || name === "until") setOwn(true);
    void navigate({
      to: ".",
      search: (before: object) => ({ ...before, ...withoutDependants(name), [name]: value, cursor: undefined }),
      replace: true,
    });
  };
  const isSet = filters.some(({ name }) => search[name] !== undefined);
  const [resets, setResets] = useState(0);
  const [isOwn, setOwn] = useState(() => periodIn(search) === OWN);
  const period = namedIn(search) ?? (isOwn ? OWN : periodIn(search));
  const reset = () => {
    // What was being typed is forgotten, too.
    setResets(resets + 1);
    setOwn(false);
    void navigate({
      to: ".",
      search: (before: object) => ({
        ...before,
        ...Object.fromEntries(filters.map(({ name }) => [name, undefined])),
        period: undefined,
        sort: undefined,
        cursor: undefined,
      }),
    });
  };
  const isPhone = useMediaQuery("(max-width: 48em)") ?? false;
  const [isOpen, { toggle }] = useDisclosure(false);
  const isShown = !isPhone || isOpen || isSet;
  if (filters.length === 0) return null;
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label={texts.list.filters}>
      {!isShown && (
        <Button size="xs" variant="default" onClick={toggle} aria-expanded={isOpen} leftSection={<FilterIcon size={14} aria-hidden />}>
          {texts.list.filters}
        </Button>
      )}
      {isShown && filters.some(({ name }) => name === "since") && (
        <PeriodFilter label={periodLabel} period={period ?? usual ?? null} isNeeded={usual !== undefined} setOwn={setOwn} />
      )}
      {isShown &&
        filters.map((filter) =>
          ["since", "until"].includes(filter.name) && period !== OWN ? null : filter.kind === "choice" ? (
            <ChoiceFilter key={filter.name} filter={filter} value={search[filter.name]} change={change} />
          ) : (
            <TypedFilter key={`${filter.name} ${resets}`} filter={filter} value={search[filter.name]} change={change} />
          ),
        )}
      {isSet && (
        <Button size="xs" variant="subtle" color="gray" onClick={reset} leftSection={<XIcon size={14} aria-hidden />}>
          {texts.list.reset}
        </Button>
      )}
    </Group>
  );
}

/** The choice of a period whose dates a person says. */
const OWN = "own";

/** The name of the period that was chosen, if the dates are its. Two periods may have the same dates on some days. */
function namedIn({ period, since, until }: Texts): PeriodName | null {
  const name = periodNames.find((one) => one === period);
  const dates = name === undefined ? null : datesOf(name, new Date(), shownZone());
  return name !== undefined && dates?.since === since && dates?.until === until ? name : null;
}

/** The period of the dates in an address: a named one, a person's own, or none. */
function periodIn({ since, until }: Texts): PeriodName | typeof OWN | null {
  if (since === undefined && until === undefined) return null;
  return periodWith({ ...(since && { since }), ...(until && { until }) }, new Date(), shownZone()) ?? OWN;
}

interface PeriodFilterProps {
  readonly label: string;
  readonly period: PeriodName | typeof OWN | null;
  readonly isNeeded: boolean;
  /** Shows the fields of both dates, or takes them away. */
  readonly setOwn: (isOwn: boolean) => void;
}

/** Sets both dates of a list at once. */
function PeriodFilter({ label, period, isNeeded, setOwn }: PeriodFilterProps) {
  const navigate = useNavigate();
  const change = (wanted: PeriodName | typeof OWN | null) => {
    setOwn(wanted === OWN);
    if (wanted === OWN) return;
    const dates =
      wanted === null
        ? { since: undefined, until: undefined, period: undefined }
        : { ...datesOf(wanted, new Date(), shownZone()), period: wanted };
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...dates, cursor: undefined }), replace: true });
  };
  return (
    <Select
      size="xs"
      w={165}
      label={label}
      placeholder={texts.list.anyTime}
      data={[...periodNames.map((name) => ({ value: name, label: texts.list.periods[name] })), { value: OWN, label: texts.list.ownPeriod }]}
      value={period}
      onChange={change}
      clearable={!isNeeded}
      allowDeselect={!isNeeded}
    />
  );
}

interface ChoiceFilterProps {
  readonly filter: Extract<Filter, { readonly kind: "choice" }>;
  readonly value: string | undefined;
  readonly change: (name: string, value: string | undefined) => void;
}

/** In characters: a longer choice needs a wider field. */
const SHORT = 16;

function ChoiceFilter({ filter: { name, label, choices, words, fallback }, value, change }: ChoiceFilterProps) {
  const data = choices.map((choice) => ({
    value: choice,
    label: words?.[choice] ?? texts.status[choice] ?? choice,
  }));
  return (
    <Select
      size="xs"
      w={data.some((choice) => choice.label.length > SHORT) ? 190 : 150}
      label={label}
      placeholder={texts.list.any}
      data={data}
      value={value ?? fallback ?? null}
      onChange={(wanted) => change(name, wanted ?? undefined)}
      clearable={fallback === undefined}
      allowDeselect={fallback === undefined}
      searchable={choices.length > 8}
    />
  );
}

interface TypedFilterProps {
  readonly filter: { readonly kind: TypedKind; readonly name: string; readonly label: string };
  readonly value: string | undefined;
  readonly change: (name: string, value: string | undefined) => void;
}

function TypedFilter({ filter, value, change }: TypedFilterProps) {
  const id = useId();
  const { typed, type } = useTyped(value ?? "", (text) => change(filter.name, text || undefined), TYPING);
  return (
    <TextInput
      id={id}
      size="xs"
      w={WIDTHS[filter.kind]}
      type={filter.kind === "text" ? "search" : filter.kind}
      {...(filter.kind === "number" ? { min: 0, step: "any" } : {})}
      label={filter.label}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
