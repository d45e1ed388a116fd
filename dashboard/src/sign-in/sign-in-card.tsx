import { Alert, Center, Paper, Stack, Text, Title } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import type { ReactNode } from "react";
import { Refusal } from "../shared/refusal.tsx";
import { LanguageChoice } from "../shell/language-choice.tsx";
import { texts } from "../texts/index.ts";

/** The frame of the pages before a session. */
export function SignInCard({
  title,
  failure,
  children,
}: {
  readonly title: string;
  readonly failure: string | null;
  readonly children: ReactNode;
}) {
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper className="card" p="xl" w="100%" maw={400} shadow="sm">
        <Stack>
          <Text size="sm" c="dimmed" fw={600}>
            {texts.shell.product}
          </Text>
          <Title order={1} size="h2">
            {title}
          </Title>
          <Refusal text={failure} />
          {failure === null && !browserSupportsWebAuthn() && (
            <Alert color="orange" icon={<AlertIcon size={18} aria-hidden />} role="status">
              {texts.signIn.faults.unsupported}
              <Text size="sm" className="id" mt="xs">
                {globalThis.location.href}
              </Text>
            </Alert>
          )}
          {children}
          <LanguageChoice />
        </Stack>
      </Paper>
    </Center>
  );
}
