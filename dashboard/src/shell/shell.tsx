import { Alert, Anchor, AppShell, Box, Burger, Group, NavLink, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { EyeIcon } from "@primer/octicons-react";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { api } from "../api/client.ts";
import { statusOf } from "../api/failure.ts";
import { noteSessionStarted, noteShownPerson } from "../api/session-state.ts";
import { Failure } from "../shared/failure.tsx";
import { useFocusOnPage } from "../shared/focus-on-page.ts";
import { PaletteButton } from "../shared/palette-button.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { noteZone } from "../shared/time-zone.ts";
import { texts } from "../texts/index.ts";
import { AccountMenu } from "./account-menu.tsx";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { entries } from "./navigation.ts";
import { SessionContext } from "./session.ts";

/** The sign-in is loaded where no person is signed in; the search and the question of an ended session behind the first look at a page. */
const SignInPage = lazy(async () => ({ default: (await import("../sign-in/sign-in-page.tsx")).SignInPage }));
const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const SessionEnded = lazy(async () => ({ default: (await import("./session-ended.tsx")).SessionEnded }));

/** The frame of every page: navigation, environment, search, and the signed-in person. Without a session, the sign-in. */
export function Shell() {
  const { data: session, error, isPending, refetch } = api.useQuery("get", "/partner/session", {}, { staleTime: 60_000, retry: 1 });
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useFocusOnPage();
  const onSignedIn = () => {
    noteSessionStarted();
    void refetch();
  };
  const person = session?.person.id ?? null;
  useEffect(() => noteShownPerson(person), [person]);
  if (isPending)
    return (
      <Box p="xl">
        <PageSkeleton />
      </Box>
    );
  if (session === undefined)
    return statusOf(error) === 401 ? (
      <Suspense fallback={null}>
        <SignInPage onSignedIn={onSignedIn} />
      </Suspense>
    ) : (
      <Failure thrown={error} retry={() => void refetch()} />
    );
  // Before any page below shows a time.
  noteZone(session.time_zone);
  const shown = entries.filter(({ needs }) => needs === null || session.permissions.includes(needs));
  return (
    <SessionContext value={session}>
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
              <Text fw={650} truncate title={session.partner.name}>
                {session.partner.name}
              </Text>
            </Group>
            <Group gap="xs" wrap="nowrap">
              <PaletteButton label={texts.palette.open} />
              <EnvironmentSwitch />
              {!session.viewed_by_operator && <AccountMenu session={session} />}
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" aria-label={texts.shell.navigation}>
          <ScrollArea>
            {shown.map(({ to, label, icon: Icon }) => (
              <NavLink
                key={to}
                className="navigation-link"
                renderRoot={(props) => <Link to={to} {...props} />}
                label={label}
                leftSection={<Icon size={18} aria-hidden />}
                onClick={close}
                active={to === "/" ? pathname === "/" : pathname.startsWith(to)}
                aria-current={(to === "/" ? pathname === "/" : pathname.startsWith(to)) ? "page" : undefined}
                style={{ borderRadius: "var(--mantine-radius-md)" }}
              />
            ))}
          </ScrollArea>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          {session.viewed_by_operator && (
            <Alert
              color="orange"
              mb="lg"
              maw={1180}
              mx="auto"
              icon={<EyeIcon size={18} aria-hidden />}
              title={texts.view.title(session.partner.name)}
            >
              {texts.view.what}{" "}
              <Anchor href={`/ops/console/partners/${session.partner.id}`} size="sm" underline="always">
                {texts.view.back}
              </Anchor>
            </Alert>
          )}
          <Outlet />
        </AppShell.Main>
      </AppShell>
      <Suspense fallback={null}>
        <Palette />
        <SessionEnded person={session.person.id} />
      </Suspense>
    </SessionContext>
  );
}
