import { Button, Modal, Stack, Text } from "@mantine/core";
import { client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import { noteSessionStarted, noteShownPerson, useSessionEnded } from "../api/session-state.ts";
import { beginAnew } from "../shared/address.ts";
import { Refusal } from "../shared/refusal.tsx";
import { useSending } from "../shared/use-sending.ts";
import { signInWithPasskey } from "../sign-in/passkeys.ts";
import { texts } from "../texts/index.ts";

/** Above the dialog in which a person was typing. */
const ABOVE_ALL = 1000;

/** Asks to sign in again above the page, which keeps what was typed. Another person gets a fresh page. */
export function SessionEnded({ person }: { readonly person: string }) {
  const isEnded = useSessionEnded();
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
        <Refusal text={failure} />
        <Button onClick={() => void signIn()} loading={isBusy} data-autofocus>
          {texts.signIn.withPasskey}
        </Button>
      </Stack>
    </Modal>
  );
}
