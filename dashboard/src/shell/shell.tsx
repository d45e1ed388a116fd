import { Alert, Anchor, Box, Menu } from "@mantine/core";
import { EyeIcon, KeyIcon } from "@primer/octicons-react";
import { Link, Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { api, client } from "../api/client.ts";
import { statusOf } from "../api/failure.ts";
import { noteSessionStarted, noteShownPerson } from "../api/session-state.ts";
import { forgetLists } from "../shared/address.ts";
import { Failure } from "../shared/failure.tsx";
import { PaletteButton } from "../shared/palette-button.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { noteZone } from "../shared/time-zone.ts";
import { texts } from "../texts/index.ts";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { Frame } from "./frame.tsx";
import { entries } from "./navigation.ts";
import { PersonMenu } from "./person-menu.tsx";
import { SessionContext } from "./session.ts";

/** The sign-in is loaded where no person is signed in; the search and the question of an ended session behind the first look at a page. */
const SignInPage = lazy(async () => ({ default: (await import("../sign-in/sign-in-page.tsx")).SignInPage }));
const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const SessionEnded = lazy(async () => ({ default: (await import("./session-ended.tsx")).SessionEnded }));

/** The frame of every page: navigation, environment, search, and the signed-in person. Without a session, the sign-in. */
export function Shell() {
  const { data: session, error, isPending, refetch } = api.useQuery("get", "/partner/session", {}, { staleTime: 60_000, retry: 1 });
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
  return (
    <SessionContext value={session}>
      <Frame
        title={session.partner.name}
        head={
          <>
            <PaletteButton label={texts.palette.open} />
            <EnvironmentSwitch />
            {!session.viewed_by_operator && (
              <PersonMenu name={session.person.name} signOut={() => client.POST("/partner/session/end")} start="/dashboard">
                <Menu.Item renderRoot={(props) => <Link to="/account" {...props} />} leftSection={<KeyIcon size={16} aria-hidden />}>
                  {texts.account.title}
                </Menu.Item>
              </PersonMenu>
            )}
          </>
        }
        groups={[{ title: null, entries: entries.filter(({ needs }) => needs === null || session.permissions.includes(needs)) }]}
      >
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
            <Anchor href={`/ops/console/partners/${session.partner.id}`} size="sm" underline="always" onClick={forgetLists}>
              {texts.view.back}
            </Anchor>
          </Alert>
        )}
        <Outlet />
      </Frame>
      <Suspense fallback={null}>
        <Palette />
        <SessionEnded person={session.person.id} />
      </Suspense>
    </SessionContext>
  );
}
