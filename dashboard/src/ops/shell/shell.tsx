import { Box, Button, Group, Text } from "@mantine/core";
import { Outlet } from "@tanstack/react-router";
import { statusOf } from "../../api/failure.ts";
import { refreshAll } from "../../api/queries.ts";
import { noteSessionStarted } from "../../api/session-state.ts";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { PaletteButton } from "../../shared/palette-button.tsx";
import { PageSkeleton } from "../../shared/skeletons.tsx";
import { EndedDialog } from "../../shell/ended-dialog.tsx";
import { Frame } from "../../shell/frame.tsx";
import { PersonMenu } from "../../shell/person-menu.tsx";
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
            <PersonMenu
              name={session.operator}
              about={session.roles.join(", ")}
              signOut={session.by === "token" ? () => client.DELETE("/ops/session") : undefined}
              start="/ops/console/"
            />
          </>
        }
        groups={groups}
      >
        <OutOfReach />
        <DecisionBar />
        {session.roles.length === 0 ? <Empty isPage title={words.noRole} next={words.noRoleNext} /> : <Outlet />}
      </Frame>
      <Palette />
      <EndedDialog>
        <SignInAgain by={session.by} />
      </EndedDialog>
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
      <>
        <Text size="sm">{texts.session.ended}</Text>
        <SignIn isAgain onSignedIn={goOn} />
      </>
    );
  return (
    <>
      <Text size="sm">{words.signIn.again}</Text>
      <Group>
        <Button component="a" href="/ops/console/" target="_blank">
          {words.signIn.elsewhere}
        </Button>
        <Button variant="default" onClick={goOn}>
          {words.signIn.goOn}
        </Button>
      </Group>
    </>
  );
}
