import { Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import { PlusIcon, SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pageOf } from "../shared/object-link.tsx";
import { texts } from "../texts/index.ts";
import { entries } from "./navigation.ts";
import { useSession } from "./session.ts";

const creations = [
  { to: "/links/new", label: texts.links.create, needs: "product_create" },
  { to: "/promotion-codes/new", label: texts.promotionCodes.create, needs: "product_create" },
  { to: "/ruble-payments/new", label: texts.rublePayments.create, needs: "bank_payment" },
] as const;

/** ⌘K: goes to a page, begins a creation, and finds any id, order reference or short link. */
export function Palette() {
  const { permissions } = useSession();
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const wanted = query.trim();
  const pages: SpotlightActionData[] = entries
    .filter(({ needs }) => needs === null || permissions.includes(needs))
    .map(({ to, label, icon: Icon }) => ({
      id: to,
      label,
      leftSection: <Icon size={18} aria-hidden />,
      onClick: () => void navigate({ to }),
    }));
  const made: SpotlightActionData[] = creations
    .filter(({ needs }) => permissions.includes(needs))
    .map(({ to, label }) => ({ id: to, label, leftSection: <PlusIcon size={18} aria-hidden />, onClick: () => void navigate({ to }) }));
  const find: SpotlightActionData = {
    id: "find",
    label: texts.palette.find(wanted),
    leftSection: <SearchIcon size={18} aria-hidden />,
    onClick: () => void navigate(pageOf(wanted) ?? { to: "/find", search: { q: wanted } }),
  };
  return (
    <Spotlight
      actions={[...(wanted.length > 2 && permissions.includes("balance_view") ? [find] : []), ...pages, ...made]}
      query={query}
      onQueryChange={setQuery}
      nothingFound={texts.palette.nothing}
      shortcut={["mod + K", "/"]}
      filter={(search, actions) =>
        actions.filter(
          (action) =>
            "label" in action && (action.id === "find" || (action.label ?? "").toLowerCase().includes(search.trim().toLowerCase())),
        )
      }
      searchProps={{
        leftSection: <SearchIcon size={18} aria-hidden />,
        placeholder: texts.palette.placeholder,
        "aria-label": texts.palette.open,
      }}
    />
  );
}
