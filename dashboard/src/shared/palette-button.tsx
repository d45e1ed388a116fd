import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { SearchIcon } from "@primer/octicons-react";

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/** Opens the search, which ⌘K or Ctrl-K opens too. */
export function PaletteButton({ label }: { readonly label: string }) {
  // The search is loaded behind the page; what was pressed before opens it then.
  useHotkeys([["/", spotlight.open]]);
  // In a field, too, where a slash is typed.
  useHotkeys([["mod+K", spotlight.open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={spotlight.open}
        leftSection={<SearchIcon size={14} aria-hidden />}
        rightSection={<Kbd size="xs">{SHORTCUT}</Kbd>}
        visibleFrom="sm"
        c="dimmed"
        fw={400}
      >
        {label}
      </Button>
      <ActionIcon variant="subtle" color="gray" size="lg" onClick={spotlight.open} hiddenFrom="sm" aria-label={label}>
        <SearchIcon size={20} aria-hidden />
      </ActionIcon>
    </>
  );
}
