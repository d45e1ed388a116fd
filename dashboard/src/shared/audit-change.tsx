import { Code, Stack, Text } from "@mantine/core";
import { nameText, valueText } from "./value-text.ts";

type Values = Readonly<Record<string, unknown>> | null;

/** The values of a change, from what to what. */
export function AuditChange({ before, after }: { readonly before: Values; readonly after: Values }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <Stack gap={2}>
      {names.map((name) => (
        <Text key={name} size="xs" component="div" style={{ overflowWrap: "anywhere" }}>
          {nameText(name)}: {before !== null && name in before && <Code>{valueText(before[name], name)}</Code>}
          {before !== null && after !== null && " → "}
          {after !== null && name in after && <Code>{valueText(after[name], name)}</Code>}
        </Text>
      ))}
    </Stack>
  );
}
