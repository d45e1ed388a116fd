import { Group, Stack, Text } from "@mantine/core";
import { Copy } from "../../shared/copy.tsx";
import { texts } from "../../texts/index.ts";

/** What support answers about a row of a list, with buttons that copy it in either language. */
export function CopySummary({ of }: { readonly of: { readonly en: string; readonly ru: string } }) {
  return (
    <Stack gap={2}>
      <Text size="xs">{of.en}</Text>
      <Group gap={4} wrap="nowrap" fz="xs">
        EN <Copy value={of.en} what={texts.summary.en} />
        RU <Copy value={of.ru} what={texts.summary.ru} />
      </Group>
    </Stack>
  );
}
