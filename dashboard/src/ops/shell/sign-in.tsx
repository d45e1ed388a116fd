import { Button, Center, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Refusal } from "../../shared/refusal.tsx";
import { useSending } from "../../shared/use-sending.ts";
import { texts } from "../../texts/index.ts";
import { client } from "../api/client.ts";
import { words } from "../texts.ts";

const { signIn: own } = words;

/** Begins a session with the shared token. With Cloudflare Access before the console, this page does not appear. */
export function SignIn({ onSignedIn, isAgain = false }: { readonly onSignedIn: () => void; readonly isAgain?: boolean }) {
  const [token, setToken] = useState("");
  const [name, setName] = useState("");
  const { isBusy, failure, send } = useSending();
  const signIn = (event: FormEvent) => {
    event.preventDefault();
    void send(async () => {
      await client.POST("/ops/session", { body: { token, name } });
      onSignedIn();
    });
  };
  const form = (
    <form onSubmit={signIn}>
      <Stack>
        {!isAgain && (
          <Title order={1} size="h3">
            {own.title}
          </Title>
        )}
        <Refusal text={failure} />
        <PasswordInput
          label={own.token}
          description={own.tokenWhat}
          value={token}
          required
          autoComplete="current-password"
          onChange={(event) => setToken(event.currentTarget.value)}
          visibilityToggleButtonProps={{ "aria-label": own.showToken, tabIndex: 0 }}
        />
        <TextInput
          label={own.name}
          description={own.nameWhat}
          value={name}
          required
          maxLength={64}
          autoComplete="name"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          {texts.signIn.title}
        </Button>
      </Stack>
    </form>
  );
  if (isAgain) return form;
  return (
    <Center component="main" mih="100vh" p="md">
      <section className="card" style={{ width: "min(100%, 400px)", padding: 24 }}>
        {form}
      </section>
    </Center>
  );
}
