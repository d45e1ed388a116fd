import { Group, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import type { Product } from "./product-words.ts";

/** What a decision about a product looks at twice, in the Worker's words. */
export function Flags({ product: { flags } }: { readonly product: Product }) {
  if (flags.length === 0) return null;
  return (
    <Stack gap={2}>
      {flags.map(({ flag, says }) => (
        <Group key={flag} gap={6} wrap="nowrap" align="flex-start">
          <AlertIcon size={14} fill="var(--mantine-color-orange-text)" aria-hidden />
          <Text size="xs" style={{ overflowWrap: "anywhere" }}>
            {says}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
