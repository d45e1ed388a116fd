import { Alert, Group, Stack, Text } from "@mantine/core";
import { KeyRound } from "lucide-react";
import { Copied } from "./copy.tsx";

/** A secret that is shown once, with what to do with it. */
export function ShownOnce({
  title,
  value,
  what,
  how,
}: {
  readonly title: string;
  readonly value: string;
  readonly what: string;
  readonly how: string;
}) {
  return (
    <Alert color="green" icon={<KeyRound size={18} aria-hidden />} title={title} role="status">
      <Stack gap="xs">
        <Text size="sm">{how}</Text>
        <Group>
          <Copied value={value} what={what} />
        </Group>
      </Stack>
    </Alert>
  );
}
