import { Stack, Text } from "@mantine/core";

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly details?: string;
}

/** A number with its name, and what says more of it. */
export function Figure({ name, value, details }: FigureProps) {
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={650} fz={{ base: "md", sm: "lg" }} className="amount">
        {value}
      </Text>
      {details !== undefined && (
        <Text size="xs" c="dimmed">
          {details}
        </Text>
      )}
    </Stack>
  );
}
