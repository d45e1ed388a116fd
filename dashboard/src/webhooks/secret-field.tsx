import { Button, Group, Stack } from "@mantine/core";
import { EyeClosedIcon, EyeIcon } from "@primer/octicons-react";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { Copied } from "../shared/copy.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Note } from "../shared/page.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { useSending } from "../shared/use-sending.ts";
import { texts } from "../texts/index.ts";

type Secret = paths["/partner/webhooks/{webhook}/secret"]["post"]["responses"]["200"]["content"]["application/json"];

const { webhooks: words } = texts;

/** The signing secret, asked for on demand and kept nowhere: it goes with the page. */
export function SecretField({ webhook }: { readonly webhook: string }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const { failure, send } = useSending();
  const show = () =>
    send(async () => {
      const { data } = await client.POST("/partner/webhooks/{webhook}/secret", { params: { path: { webhook } } });
      setSecret(data ?? null);
    });
  if (secret === null)
    return (
      <Stack gap="xs" align="flex-start">
        <Refusal text={failure} />
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
        <Note size="xs">
          {words.graceUntil} <MomentText at={secret.previous_valid_until} />
        </Note>
      )}
    </Stack>
  );
}
