import { Button, Loader, Text, TextInput } from "@mantine/core";
import { KeyIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { messageOf } from "../api/failure.ts";
import { MomentWithUtc } from "../shared/moment.tsx";
import { Note } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";
import { invitationTokenIn } from "./invitation-address.ts";
import { deviceName, makePasskey } from "./passkeys.ts";
import { SignInCard } from "./sign-in-card.tsx";

const { invitation } = texts;

/** Opens an invitation's link, makes the person's passkey, and signs in. The token stands behind #, which no server sees. */
export function InvitationPage() {
  const [token] = useState(() => invitationTokenIn(globalThis.location));
  const [label, setLabel] = useState(deviceName);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const opened = useQuery({
    queryKey: ["invitation", token],
    queryFn: async () => (await client.POST("/partner/invitation/challenge", { body: { token } })).data ?? null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: token !== "",
  });
  const accept = async (options: unknown) => {
    setBusy(true);
    setFailure(null);
    try {
      const response = await makePasskey(options);
      await client.POST("/partner/invitation", { body: { token, response, label } });
      // A fresh page: whatever was known belongs to another person.
      return globalThis.location.assign("/dashboard");
    } catch (thrown) {
      setFailure(messageOf(thrown));
    }
    setBusy(false);
    await opened.refetch();
  };
  if (token === "" || opened.error !== null)
    return (
      <SignInCard title={invitation.notOpen} failure={null}>
        <Text size="sm">{token === "" ? invitation.incomplete : messageOf(opened.error)}</Text>
        <Button component="a" href="/dashboard" variant="default">
          {invitation.toSignIn}
        </Button>
      </SignInCard>
    );
  if (!opened.data)
    return (
      <SignInCard title={invitation.opening} failure={null}>
        <Loader aria-label={invitation.opening} />
      </SignInCard>
    );
  const { person, partner, expires_at, options } = opened.data;
  return (
    <SignInCard title={invitation.title(partner)} failure={failure}>
      <Text size="sm">{invitation.how(person)}</Text>
      <TextInput
        label={invitation.device}
        description={invitation.deviceWhy}
        value={label}
        maxLength={100}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <Button
        size="md"
        fullWidth
        loading={isBusy}
        disabled={label.trim() === ""}
        onClick={() => void accept(options)}
        leftSection={<KeyIcon size={18} aria-hidden />}
      >
        {invitation.accept}
      </Button>
      <Note>
        {invitation.until} <MomentWithUtc at={expires_at} />
      </Note>
    </SignInCard>
  );
}
