import { Alert, Group, Stack, Text } from "@mantine/core";
import { KeyIcon } from "@primer/octicons-react";
import { texts } from "../texts/index.ts";
import { Copied } from "./copy.tsx";

interface ShownOnceProps {
  readonly title: string;
  readonly value: string;
  readonly what: string;
  /** What to do with it. */
  readonly how: string;
  readonly onClose: () => void;
}

/** A secret that is shown once, until the person closes it or leaves the page. */
export function ShownOnce({ title, value, what, how, onClose }: ShownOnceProps) {
  return (
    <Alert
      color="green"
      icon={<KeyIcon size={18} aria-hidden />}
      title={title}
      role="status"
      withCloseButton
      closeButtonLabel={texts.confirm.close}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">{how}</Text>
        <Group>
          <Copied value={value} what={what} />
        </Group>
      </Stack>
    </Alert>
  );
}
