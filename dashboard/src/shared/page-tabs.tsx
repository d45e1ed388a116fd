import { Tabs } from "@mantine/core";
import { useMatch, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addressOf, asLeft, tabOf } from "./address.ts";
import { useSearchTexts } from "./search-texts.ts";

/** A part of a page, under a tab. */
export interface PageTab {
  /** As in the address. */
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** The tabs of a page. The shown one stands in the address; without one, the first. Another tab has filters of its own, as they were left. */
export function PageTabs({ tabs }: { readonly tabs: readonly [PageTab, ...PageTab[]] }) {
  const { tab } = useSearchTexts();
  const navigate = useNavigate();
  const page = useMatch({ strict: false, select: (match) => match.pathname });
  const [first] = tabs;
  const shown = tabs.find(({ name }) => name === tab) ?? first;
  return (
    <Tabs
      value={shown.name}
      onChange={(next) => void navigate(addressOf(asLeft(tabOf(page, next === null || next === first.name ? undefined : next))))}
      keepMounted={false}
    >
      <Tabs.List mb="lg">
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
