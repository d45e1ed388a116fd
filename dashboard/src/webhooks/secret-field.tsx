import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { EyeClosedIcon, EyeIcon } from "@primer/octicons-react";
import { useState } from "react";
import { client } from "../api/client.ts";
import { messageOf } from "../api/failure.ts";
import type { paths } from "../api/schema.d.ts";
import { Copied } from "../shared/copy.tsx";
import { MomentText } from "../shared/moment.tsx";
import { texts } from "../texts/index.ts";

type Secret = paths["/partner/webhooks/{webhook}/secret"]["post"]["responses"]["200"]["content"]["application/json"];

const { webhooks: words } = texts;

/** The signing secret, asked for on demand and kept nowhere: it goes with the page. */
export function SecretField({ webhook }: { readonly webhook: string }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const show = async () => {
    setFailure(null);
    try {
      const { data } = await client.POST("/partner/webhooks/{webhook}/secret", { params: { path: { webhook } } });
      setSecret(data ?? null);
    } catch (thrown) {
      setFailure(messageOf(thrown));
    }
  };
  if (secret === null)
    return (
      <Stack gap="xs" align="flex-start">
        {failure !== null && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Button size="compact-xs" variant="default" onClick={() => void show()} leftSection={<EyeIcon size={14} aria-hidden />}>
          {words.showSecret}
        </Button>
      </Stack>
    );
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Copied value={secret.signing_secret} what={words.secret} />
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => setSecret(null)}
          leftSection={<EyeClosedIcon size={14} aria-hidden />}
        >
          {words.hideSecret}
        </Button>
      </Group>
      {secret.previous_valid_until !== null && (
        <Text size="xs" c="dimmed">
          {words.graceUntil} <MomentText at={secret.previous_valid_until} />
        </Text>
      )}
    </Stack>
  );
}
