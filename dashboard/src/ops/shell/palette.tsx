import type { SpotlightActionGroupData } from "@mantine/spotlight";
import { PlayIcon, SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { searchTextOf } from "../../find/search-text.ts";
import { PaletteFrame } from "../../shared/palette-frame.tsx";
import { texts } from "../../texts/index.ts";
import { useDefinitions } from "../api/definitions-query.ts";
import { nameOfCall } from "../calls/names.ts";
import { isKeyHash } from "../find/is-key.ts";

import { words } from "../texts.ts";
import { groups } from "./navigation.ts";
import { useMay } from "./session.ts";

const { palette: own } = words;

/** Calls that have a page of their own, which shows first what would be done. Lists are saved as files on their own pages. */
const PAGES: Readonly<Record<string, string>> = { "products import": "/import", erase: "/erase" };

/** ⌘K: finds anything by its id, goes to a page, and has every call, also those that few people need. */
export function Palette() {
  const may = useMay();
  const navigate = useNavigate();
  const definitions = useDefinitions();
  const [query, setQuery] = useState("");
  const wanted = query.trim();
  const isNamed = (name: string) => name.toLowerCase().includes(wanted.toLowerCase());
  const found: SpotlightActionGroupData[] = [
    {
      group: words.find.action,
      actions:
        wanted.length < 3
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
      group: texts.shell.navigation,
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
      nothing={texts.palette.nothing}
      placeholder={own.placeholder}
      label={own.open}
    />
  );
}
