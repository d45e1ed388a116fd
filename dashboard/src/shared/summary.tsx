import { Group, Stack, Text } from "@mantine/core";
import { audience } from "../api/audience.ts";
import { texts } from "../texts/index.ts";
import { ownLanguage } from "../texts/own-language.ts";
import { Copy } from "./copy.tsx";

interface SummaryProps {
  readonly of: { readonly en: string; readonly ru: string };
}

/** What became of an object. Operators send it on in either language. */
export function Summary({ of }: SummaryProps) {
  if (audience().name !== "operator") {
    return (
      <Text size="lg" role="status">
        {of[ownLanguage()]}
      </Text>
    );
  }
  return (
    <Stack gap={4} role="status">
      <Line text={of.en} language="en" size="lg" />
      <Line text={of.ru} language="ru" size="sm" />
    </Stack>
  );
}

function Line({ text, language, size }: { readonly text: string; readonly language: "en" | "ru"; readonly size: "sm" | "lg" }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text size={size} lang={language} {...(language === "ru" ? { c: "dimmed" } : {})}>
        {text}
      </Text>
      <Copy value={text} what={texts.summary[language]} />
    </Group>
  );
}
