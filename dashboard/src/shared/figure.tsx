import { Stack, Text } from "@mantine/core";
import { Note } from "./page.tsx";

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly details?: string;
}

/** A number with its name, and what says more of it. */
export function Figure({ name, value, details }: FigureProps) {
  return (
    <Stack gap={0}>
      <Note size="xs">{name}</Note>
      <Text fw={650} fz={{ base: "md", sm: "lg" }} className="amount">
        {value}
      </Text>
      {details !== undefined && <Note size="xs">{details}</Note>}
    </Stack>
  );
}
