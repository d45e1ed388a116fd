import { useDebouncedValue } from "@mantine/hooks";
import type { SpotlightActionData, SpotlightActionGroupData } from "@mantine/spotlight";
import { PlusIcon, SearchIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { factsOfFound, isSearched, pageOfFound, shownFirst, TYPING, titleOfFound } from "../find/found.ts";
import { isKeyHash } from "../find/is-key.ts";
import { searchTextOf } from "../find/search-text.ts";
import { addressOf } from "../shared/address.ts";
import { PaletteFrame } from "../shared/palette-frame.tsx";
import { texts } from "../texts/index.ts";
import { creations } from "./creations.tsx";
import { useEnvironment } from "./environment.ts";
import { entries } from "./navigation.ts";
import { useSession } from "./session.ts";

/** ⌘K: goes to a page, begins a creation, and finds what has an id, a reference, an address, an amount or a name, while it is typed. */
export function Palette() {
  const { permissions } = useSession();
  const navigate = useNavigate();
  const { environment } = useEnvironment();
  const [query, setQuery] = useState("");
  const wanted = query.trim();
  const [settled] = useDebouncedValue(wanted, TYPING);
  // A key is asked for by its hash: in an address it would stay in logs.
  const { data: text } = useQuery({
    queryKey: ["text of a search", settled],
    queryFn: () => searchTextOf(settled, isKeyHash),
    enabled: isSearched(settled),
    staleTime: 10_000,
  });
  const found = api.useQuery(
    "get",
    "/partner/find",
    { params: { query: { q: text ?? "" } } },
    { enabled: text !== undefined, staleTime: 10_000 },
  );
  // The first one is chosen by Enter: an object, if there is any.
  const isOnItsWay = isSearched(wanted) && (settled !== wanted || found.isPending);
  const objects: SpotlightActionData[] = (
    settled === wanted && isSearched(wanted) ? shownFirst(found.data?.data ?? [], environment) : []
  ).map((one) => ({
    id: `${one.kind} ${one.id}`,
    label: titleOfFound(one),
    description: factsOfFound(one),
    leftSection: <SearchIcon size={18} aria-hidden />,
    onClick: () => void navigate(addressOf(pageOfFound(one))),
  }));
  const pages: SpotlightActionData[] = entries
    .filter(({ needs }) => needs === null || permissions.includes(needs))
    .map(({ to, label, icon: Icon }) => ({
      id: to,
      label,
      leftSection: <Icon size={18} aria-hidden />,
      onClick: () => void navigate({ to }),
    }));
  const made: SpotlightActionData[] = creations
    .filter(({ needs }) => needs.every((right) => permissions.includes(right)))
    .map(({ to, label }) => ({ id: to, label, leftSection: <PlusIcon size={18} aria-hidden />, onClick: () => void navigate({ to }) }));
  const find: SpotlightActionData = {
    id: "find",
    label: texts.palette.find(wanted),
    ...(found.isError && { description: texts.palette.failed }),
    leftSection: <SearchIcon size={18} aria-hidden />,
    onClick: () => void searchTextOf(wanted, isKeyHash).then((q) => navigate({ to: "/find", search: { q } })),
  };
  const isNamed = ({ label = "" }: SpotlightActionData) => label.toLowerCase().includes(wanted.toLowerCase());
  const actions: SpotlightActionGroupData[] = [
    { group: texts.palette.found, actions: objects },
    { group: texts.shell.navigation, actions: [...pages, ...made].filter(isNamed) },
    { group: texts.palette.open, actions: !isSearched(wanted) || isOnItsWay ? [] : [find] },
  ];
  return (
    <PaletteFrame
      groups={actions}
      query={query}
      setQuery={setQuery}
      nothing={isOnItsWay ? texts.shell.loading : texts.palette.nothing}
      placeholder={texts.palette.placeholder}
      label={texts.palette.open}
    />
  );
}
