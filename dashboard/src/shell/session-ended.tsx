import { Button, Text } from "@mantine/core";
import { client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import { noteSessionStarted, noteShownPerson } from "../api/session-state.ts";
import { beginAnew } from "../shared/address.ts";
import { Refusal } from "../shared/refusal.tsx";
import { useSending } from "../shared/use-sending.ts";
import { signInWithPasskey } from "../sign-in/passkeys.ts";
import { texts } from "../texts/index.ts";
import { EndedDialog } from "./ended-dialog.tsx";

/** Asks to sign in again above the page, which keeps what was typed. Another person gets a fresh page. */
export function SessionEnded({ person }: { readonly person: string }) {
  const { isBusy, failure, send } = useSending();
  const signIn = () =>
    send(async () => {
      // Another person may sign in: then the dashboard begins from the start.
      noteShownPerson(null);
      await signInWithPasskey();
      const { data } = await client.GET("/partner/session");
      if (data?.person.id !== person) return beginAnew();
      noteShownPerson(person);
      noteSessionStarted();
      return refreshAll();
    });
  return (
    <EndedDialog>
      <Text size="sm">{texts.session.ended}</Text>
      <Refusal text={failure} />
      <Button onClick={() => void signIn()} loading={isBusy} data-autofocus>
        {texts.signIn.withPasskey}
      </Button>
    </EndedDialog>
  );
}
