import { Group, Stack, Text } from "@mantine/core";
import { audience } from "../api/audience.ts";
import { texts } from "../texts/index.ts";
import { ownLanguage } from "../texts/own-language.ts";
import { Copy } from "./copy.tsx";

const { summary: words } = texts;

interface Texts {
  readonly en: string;
  readonly ru: string;
}

interface SummaryProps {
  readonly of: Texts;
  /** What the customer who asks hears: in the answer to operators alone. */
  readonly customer?: Texts | null;
}

/** What became of an object. Operators send it on in either language, to the partner or to the customer who asks. */
export function Summary({ of, customer = null }: SummaryProps) {
  if (audience().name !== "operator") {
    return (
      <Text size="lg" role="status">
        {of[ownLanguage()]}
      </Text>
    );
  }
  if (customer === null || customer.en === of.en) return <Lines of={of} size="lg" />;
  return (
    <Stack gap="sm">
      <Lines of={of} size="lg" label={words.partner} />
      <Lines of={customer} size="md" label={words.customer} />
    </Stack>
  );
}

/** The text for the customer in an answer: that to a partner has none. */
export function customerTextIn(answer: object): Texts | null {
  const found = "to_customer" in answer ? answer.to_customer : null;
  if (typeof found !== "object" || found === null || !("en" in found) || !("ru" in found)) return null;
  const { en, ru } = found;
  return typeof en === "string" && typeof ru === "string" ? { en, ru } : null;
}

function Lines({ of, size, label }: { readonly of: Texts; readonly size: "md" | "lg"; readonly label?: string }) {
  return (
    <Stack gap={4} role="status">
      {label !== undefined && (
        <Text size="sm" fw={600}>
          {label}
        </Text>
      )}
      <Line text={of.en} language="en" size={size} />
      <Line text={of.ru} language="ru" size="sm" />
    </Stack>
  );
}

function Line({ text, language, size }: { readonly text: string; readonly language: "en" | "ru"; readonly size: "sm" | "md" | "lg" }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text size={size} lang={language} {...(language === "ru" ? { c: "dimmed" } : {})}>
        {text}
      </Text>
      <Copy value={text} what={words[language]} />
    </Group>
  );
}
