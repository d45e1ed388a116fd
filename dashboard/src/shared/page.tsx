import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link, useMatch } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { texts } from "../texts/index.ts";
import { addressOf, asLeft, noteShown } from "./address.ts";
import { useSearchTexts } from "./search-texts.ts";

interface PageProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** The list that the page belongs to. */
  readonly back?: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}

/** A page: its title, one line about it, its actions, its content. */
export function Page({ title, about, actions, back, children }: PageProps) {
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  const { tab } = useSearchTexts();
  useEffect(() => noteShown(pathname, tab), [pathname, tab]);
  useDocumentTitle(`${title} · ${texts.shell.product}`);
  return (
    <Stack gap="lg" maw={1180} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          {back !== undefined && (
            <Anchor size="sm" className="back" renderRoot={(props) => <Link {...addressOf(asLeft(back.to))} {...props} />}>
              ← {back.label}
            </Anchor>
          )}
          <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {about}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** A titled part of a page, with a border. */
export function Card({
  title,
  actions,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card">
      <Stack gap="md" p="lg">
        {title !== undefined && (
          <Group justify="space-between">
            <Title order={2} size="h4">
              {title}
            </Title>
            {actions !== undefined && <Group gap="xs">{actions}</Group>}
          </Group>
        )}
        {children}
      </Stack>
    </section>
  );
}

/** Words that say more of what they stand beside. */
export const Note = ({ size = "sm", children }: { readonly size?: "xs" | "sm"; readonly children: ReactNode }) => (
  <Text size={size} c="dimmed">
    {children}
  </Text>
);
