import { useDebouncedValue } from "@mantine/hooks";
import type { SpotlightActionGroupData } from "@mantine/spotlight";
import { PlayIcon, SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { LEAST, TYPING } from "../../find/found.ts";
import { addressOf } from "../../shared/address.ts";
import { PaletteFrame } from "../../shared/palette-frame.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { useDefinitions } from "../api/definitions-query.ts";
import { nameOfCall } from "../calls/names.ts";
import { factsOfFound, pageOfFound, titleOfFound } from "../find/found.ts";
import { isKeyHash } from "../find/is-key.ts";
import { isOfKeyForm, searchTextOf } from "../find/search-text.ts";
import { words } from "../texts.ts";
import { groups } from "./navigation.ts";
import { useMay } from "./session.ts";

const { palette: own } = words;

/** Calls that have a page of their own, which shows first what would be done. Lists are saved as files on their own pages. */
const PAGES: Readonly<Record<string, string>> = { "products import": "/import", erase: "/erase" };

/** ⌘K: finds anything by its id while it is typed, goes to a page, and has every call, also those that few people need. */
export function Palette() {
  const may = useMay();
  const navigate = useNavigate();
  const definitions = useDefinitions();
  const [query, setQuery] = useState("");
  const wanted = query.trim();
  const [settled] = useDebouncedValue(wanted, TYPING);
  const isSearched = wanted.length >= LEAST && !isOfKeyForm(wanted);
  const objects = api.useQuery(
    "get",
    "/ops/find",
    { params: { query: { q: settled } } },
    { enabled: isSearched && settled === wanted, staleTime: 10_000, retry: false },
  );
  const isOnItsWay = isSearched && (settled !== wanted || objects.isPending);
  const isNamed = (name: string) => name.toLowerCase().includes(wanted.toLowerCase());
  const found: SpotlightActionGroupData[] = [
    {
      group: texts.palette.found,
      actions: (isSearched && settled === wanted ? (objects.data?.data ?? []) : []).flatMap((one) => {
        const page = pageOfFound(one);
        if (page === null) return [];
        return {
          id: `${one.kind} ${one.id}`,
          label: titleOfFound(one),
          description: factsOfFound(one),
          leftSection: <SearchIcon size={18} aria-hidden />,
          onClick: () => void navigate(addressOf(page)),
        };
      }),
    },
    {
      group: own.find,
      actions:
        wanted.length < LEAST || isOnItsWay
          ? []
          : [
              {
                id: "find",
                label: texts.palette.find(wanted),
                leftSection: <SearchIcon size={18} aria-hidden />,
                onClick: () => void searchTextOf(wanted, isKeyHash).then((text) => navigate({ to: "/find", search: { q: text } })),
              },
            ],
    },
    {
      group: own.pages,
      actions: groups
        .flatMap(({ entries }) => entries)
        .filter(({ label }) => isNamed(label))
        .map(({ to, label, icon: Icon }) => ({
          id: to,
          label,
          leftSection: <Icon size={18} aria-hidden />,
          onClick: () => void navigate({ to }),
        })),
    },
    {
      group: own.calls,
      actions: definitions
        .filter((call) => may(call.role) && !call.command.startsWith("exports ") && isNamed(`${nameOfCall(call.command)} ${call.command}`))
        .map((call) => ({
          id: call.command,
          label: nameOfCall(call.command),
          description: call.summary,
          leftSection: <PlayIcon size={18} aria-hidden />,
          onClick: () => void navigate({ to: PAGES[call.command] ?? `/calls/${call.command.replaceAll(" ", "-")}` }),
        })),
    },
  ];
  return (
    <PaletteFrame
      groups={found}
      query={query}
      setQuery={setQuery}
      nothing={isOnItsWay ? texts.shell.loading : texts.palette.nothing}
      placeholder={own.placeholder}
      label={own.open}
    />
  );
}
