import { Alert, Button, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { client } from "../api/client.ts";
import { messageOf } from "../api/failure.ts";
import { refreshAll } from "../api/queries.ts";
import { noteSessionStarted, noteShownPerson, useSessionEnded } from "../api/session-state.ts";
import { signInWithPasskey } from "../sign-in/passkeys.ts";
import { texts } from "../texts/index.ts";

/** Above the dialog in which a person was typing. */
const ABOVE_ALL = 1000;

/** Asks to sign in again above the page, which keeps what was typed. Another person gets a fresh page. */
export function SessionEnded({ person }: { readonly person: string }) {
  const isEnded = useSessionEnded();
  const [{ failure, isBusy }, setState] = useState<{ failure: string | null; isBusy: boolean }>({ failure: null, isBusy: false });
  const signIn = async () => {
    setState({ failure: null, isBusy: true });
    try {
      // Another person may sign in: then the page loads again.
      noteShownPerson(null);
      await signInWithPasskey();
      const { data } = await client.GET("/partner/session");
      if (data?.person.id !== person) return globalThis.location.reload();
      noteShownPerson(person);
      noteSessionStarted();
      setState({ failure: null, isBusy: false });
      await refreshAll();
    } catch (thrown) {
      setState({ failure: messageOf(thrown), isBusy: false });
    }
  };
  return (
    <Modal
      zIndex={ABOVE_ALL}
      opened={isEnded}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title={texts.session.endedTitle}
    >
      <Stack>
        <Text size="sm">{texts.session.ended}</Text>
        {failure !== null && (
          <Alert color="red" variant="light">
            {failure}
          </Alert>
        )}
        <Button onClick={() => void signIn()} loading={isBusy} data-autofocus>
          {texts.signIn.withPasskey}
        </Button>
      </Stack>
    </Modal>
  );
}
