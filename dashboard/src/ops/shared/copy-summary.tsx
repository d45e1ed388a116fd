import { Group } from "@mantine/core";
import { Copy } from "../../shared/copy.tsx";
import { texts } from "../../texts/index.ts";

/** Buttons in a row of a list that copy what support answers about it, in either language. */
export function CopySummary({ of }: { readonly of: { readonly en: string; readonly ru: string } }) {
  return (
    <Group gap={4} wrap="nowrap" title={of.en}>
      EN <Copy value={of.en} what={texts.summary.en} />
      RU <Copy value={of.ru} what={texts.summary.ru} />
    </Group>
  );
}
