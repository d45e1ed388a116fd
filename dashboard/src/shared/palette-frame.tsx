import { Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { SearchIcon } from "@primer/octicons-react";
import type { KeyboardEvent } from "react";

interface PaletteFrameProps {
  readonly groups: readonly SpotlightActionGroupData[];
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly nothing: string;
  readonly placeholder: string;
  readonly label: string;
}

/** Enter opens the first of what is offered, unless another one was chosen. */
function openFirst(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  const dialog = event.currentTarget.closest("[role=dialog]");
  if (dialog?.querySelector("[data-action][data-selected]") === null) dialog.querySelector<HTMLElement>("[data-action]")?.click();
}

/** The field of ⌘K with what it offers: chosen by its owner, not filtered here. */
export const PaletteFrame = ({ groups, query, setQuery, nothing, placeholder, label }: PaletteFrameProps) => (
  <Spotlight
    actions={groups.filter(({ actions }) => actions.length > 0)}
    query={query}
    onQueryChange={setQuery}
    nothingFound={nothing}
    shortcut={null}
    filter={(_, actions) => actions}
    scrollable
    maxHeight={420}
    searchProps={{ leftSection: <SearchIcon size={18} aria-hidden />, placeholder, "aria-label": label, onKeyDown: openFirst }}
  />
);
