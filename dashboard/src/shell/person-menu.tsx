import { ActionIcon, Menu, Text, useMantineColorScheme } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { DeviceDesktopIcon, FeedPersonIcon, MoonIcon, SignOutIcon, SunIcon } from "@primer/octicons-react";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "../api/failure.ts";
import { queries } from "../api/queries.ts";
import { forgetLists } from "../shared/address.ts";
import { texts } from "../texts/index.ts";

interface PersonMenuProps {
  readonly name: string;
  readonly about?: string;
  /** What the application has besides. */
  readonly children?: ReactNode;
  /** Ends the session. Left out: it is ended elsewhere. */
  readonly signOut?: (() => Promise<unknown>) | undefined;
  /** The first page. */
  readonly start: string;
}

const SCHEMES = [
  ["light", SunIcon],
  ["dark", MoonIcon],
  ["auto", DeviceDesktopIcon],
] as const;

/** Who is signed in: the colour scheme, signing out. */
export function PersonMenu({ name, about, children, signOut, start }: PersonMenuProps) {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const end = useMutation({
    mutationFn: async () => signOut?.(),
    onSuccess: () => {
      queries.clear();
      forgetLists();
      // The page before must not come back by the browser's way back.
      globalThis.location.replace(start);
    },
    onError: (thrown) => notifications.show({ color: "red", title: texts.failure.title, message: messageOf(thrown) }),
  });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.account.title}>
          <FeedPersonIcon size={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {name}
          </Text>
          {about !== undefined && <Text size="xs">{about}</Text>}
        </Menu.Label>
        {children}
        <Menu.Divider />
        <Menu.Label>{texts.account.colours}</Menu.Label>
        {SCHEMES.map(([scheme, Icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme ? "true" : undefined}
            fw={colorScheme === scheme ? 650 : undefined}
          >
            {texts.account.scheme[scheme]}
          </Menu.Item>
        ))}
        {signOut !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<SignOutIcon size={16} aria-hidden />} onClick={() => end.mutate()} disabled={end.isPending}>
              {texts.account.signOut}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
