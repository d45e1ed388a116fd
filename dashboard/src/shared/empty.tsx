import { Stack, Text, ThemeIcon } from "@mantine/core";
import { type Icon, InboxIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";

export interface EmptyProps {
  readonly title: string;
  readonly next?: ReactNode;
  readonly icon?: Icon;
  readonly action?: ReactNode;
  /** Whether it stands for a whole page. */
  readonly isPage?: boolean;
}

/** What stands where there is nothing: why, and the next step. */
export function Empty({ title, next, icon: Icon = InboxIcon, action, isPage = false }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md">
      <ThemeIcon variant="light" color="gray" size={44} radius="xl">
        <Icon size={22} aria-hidden />
      </ThemeIcon>
      <Text fw={600} component={isPage ? "h1" : "p"} m={0}>
        {title}
      </Text>
      {next !== undefined && (
        <Text c="dimmed" size="sm" ta="center" maw={440}>
          {next}
        </Text>
      )}
      {action}
    </Stack>
  );
}
