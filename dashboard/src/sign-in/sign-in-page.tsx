import { Button, Text } from "@mantine/core";
import { KeyIcon } from "@primer/octicons-react";
import { useSending } from "../shared/use-sending.ts";
import { texts } from "../texts/index.ts";
import { signInWithPasskey } from "./passkeys.ts";
import { SignInCard } from "./sign-in-card.tsx";

/** Signs a person in with a passkey. The address stays, so that a link from a colleague leads on. */
export function SignInPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const { isBusy, failure, send } = useSending();
  const signIn = () =>
    send(async () => {
      await signInWithPasskey();
      onSignedIn();
    });
  return (
    <SignInCard title={texts.signIn.title} failure={failure}>
      <Text c="dimmed" size="sm">
        {texts.signIn.how}
      </Text>
      <Button size="md" fullWidth loading={isBusy} onClick={() => void signIn()} leftSection={<KeyIcon size={18} aria-hidden />}>
        {texts.signIn.withPasskey}
      </Button>
      <Text c="dimmed" size="sm">
        {texts.signIn.lost}
      </Text>
    </SignInCard>
  );
}
