import { ActionIcon, Box, Button, Group, Menu, Modal, Stack, Text, useMantineColorScheme } from "@mantine/core";
import { FeedPersonIcon, MoonIcon, SignOutIcon, SunIcon } from "@primer/octicons-react";
import { Outlet } from "@tanstack/react-router";
import { statusOf } from "../../api/failure.ts";
import { queries, refreshAll } from "../../api/queries.ts";
import { noteSessionStarted, useSessionEnded } from "../../api/session-state.ts";
import { forgetLists } from "../../shared/address.ts";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { PaletteButton } from "../../shared/palette-button.tsx";
import { PageSkeleton } from "../../shared/skeletons.tsx";
import { Frame } from "../../shell/frame.tsx";
import { texts } from "../../texts/index.ts";
import { api, client } from "../api/client.ts";
import { DecisionBar } from "../moderation/decision-bar.tsx";
import { OutOfReach } from "../shared/out-of-reach.tsx";
import { words } from "../texts.ts";
import { groups } from "./navigation.ts";
import { Palette } from "./palette.tsx";
import { type Session, SessionContext } from "./session.ts";
import { SignIn } from "./sign-in.tsx";

/** The frame of every page: navigation, search, and the operator. Without a session, the sign-in. */
export function Shell() {
  const { data: session, error, isPending, refetch } = api.useQuery("get", "/ops/session", {}, { staleTime: 60_000, retry: 1 });
  const isEnded = useSessionEnded();
  if (isPending)
    return (
      <Box p="xl">
        <PageSkeleton />
      </Box>
    );
  if (session === undefined)
    return statusOf(error) === 401 ? <SignIn onSignedIn={() => void refetch()} /> : <Failure thrown={error} retry={() => void refetch()} />;
  return (
    <SessionContext value={session}>
      <Frame
        title={words.product}
        head={
          <>
            <PaletteButton label={words.palette.open} />
            <OperatorMenu session={session} />
          </>
        }
        groups={groups}
      >
        <OutOfReach />
        <DecisionBar />
        {session.roles.length === 0 ? <Empty isPage title={words.noRole} next={words.noRoleNext} /> : <Outlet />}
      </Frame>
      <Palette />
      <Modal
        opened={isEnded}
        onClose={() => undefined}
        withCloseButton={false}
        closeOnEscape={false}
        zIndex={1000}
        title={texts.session.endedTitle}
      >
        <SignInAgain by={session.by} />
      </Modal>
    </SessionContext>
  );
}

const goOn = () => {
  noteSessionStarted();
  void refreshAll();
};

/** What a person does whose session has ended: what was typed on the page behind it stays. */
function SignInAgain({ by }: { readonly by: Session["by"] }) {
  if (by === "token")
    return (
      <Stack>
        <Text size="sm">{texts.session.ended}</Text>
        <SignIn isAgain onSignedIn={goOn} />
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">{words.signIn.again}</Text>
      <Group>
        <Button component="a" href="/ops/console/" target="_blank">
          {words.signIn.elsewhere}
        </Button>
        <Button variant="default" onClick={goOn}>
          {words.signIn.goOn}
        </Button>
      </Group>
    </Stack>
  );
}

const signOut = async () => {
  await client.DELETE("/ops/session");
  queries.clear();
  forgetLists();
  globalThis.location.replace("/ops/console/");
};

/** The operator: the colour scheme, signing out. */
function OperatorMenu({ session }: { readonly session: Session }) {
  const { setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.account.menu}>
          <FeedPersonIcon size={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session.operator}
          <Text size="xs">{session.roles.join(", ")}</Text>
        </Menu.Label>
        <Menu.Item leftSection={<SunIcon size={16} aria-hidden />} onClick={() => setColorScheme("light")}>
          {texts.account.scheme.light}
        </Menu.Item>
        <Menu.Item leftSection={<MoonIcon size={16} aria-hidden />} onClick={() => setColorScheme("dark")}>
          {texts.account.scheme.dark}
        </Menu.Item>
        <Menu.Item onClick={() => setColorScheme("auto")}>{texts.account.scheme.auto}</Menu.Item>
        {session.by === "token" && (
          <Menu.Item leftSection={<SignOutIcon size={16} aria-hidden />} onClick={() => void signOut()}>
            {texts.account.signOut}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
