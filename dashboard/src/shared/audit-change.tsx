import { Code, Stack, Text } from "@mantine/core";

type Values = Readonly<Record<string, unknown>> | null;

/** The values of a change, from what to what. */
export function AuditChange({ before, after }: { readonly before: Values; readonly after: Values }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <Stack gap={2}>
      {names.map((name) => (
        <Text key={name} size="xs" component="div" style={{ overflowWrap: "anywhere" }}>
          {name}: {before !== null && name in before && <Code>{textOf(before[name])}</Code>}
          {before !== null && after !== null && " → "}
          {after !== null && name in after && <Code>{textOf(after[name])}</Code>}
        </Text>
      ))}
    </Stack>
  );
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
