import { AppShell, Box, Burger, Group, NavLink, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Icon } from "@primer/octicons-react";
import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFocusOnPage } from "../shared/focus-on-page.ts";
import { texts } from "../texts/index.ts";

/** A page of the navigation. */
export interface PageEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
}

/** Pages that stand together. */
export interface PageGroup {
  /** Null for the first one. */
  readonly title: string | null;
  readonly entries: readonly PageEntry[];
}

interface FrameProps {
  readonly title: string;
  /** What stands at the right of the head. */
  readonly head: ReactNode;
  readonly groups: readonly PageGroup[];
  readonly children: ReactNode;
}

/** The frame of every page of an application: its head and its navigation. */
export function Frame({ title: name, head, groups, children }: FrameProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useFocusOnPage();
  const isDense = groups.length > 1;
  const isHere = (to: string) => (to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`));
  return (
    <>
      <a className="skip" href="#main">
        {texts.shell.skip}
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
        padding={{ base: "md", md: "xl" }}
      >
        <AppShell.Header px="md">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
            <Group gap="sm" wrap="nowrap" miw={0}>
              <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={texts.shell.menu} aria-expanded={isOpen} />
              <Text fw={650} truncate title={name}>
                {name}
              </Text>
            </Group>
            <Group gap="xs" wrap="nowrap">
              {head}
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" aria-label={texts.shell.navigation}>
          <ScrollArea>
            {groups.map(({ title, entries }) => (
              <Box key={title} mb="sm">
                {title !== null && (
                  <Text size="xs" c="dimmed" fw={600} px="xs" py={4}>
                    {title}
                  </Text>
                )}
                {entries.map(({ to, label, icon: Icon }) => (
                  <NavLink
                    key={to}
                    className="navigation-link"
                    renderRoot={(props) => <Link to={to} {...props} />}
                    label={label}
                    leftSection={<Icon size={isDense ? 16 : 18} aria-hidden />}
                    onClick={close}
                    active={isHere(to)}
                    aria-current={isHere(to) ? "page" : undefined}
                    {...(isDense && { py: 6 })}
                    style={{ borderRadius: "var(--mantine-radius-md)" }}
                  />
                ))}
              </Box>
            ))}
          </ScrollArea>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          {children}
        </AppShell.Main>
      </AppShell>
    </>
  );
}
