import { ActionIcon, Menu, Text, useMantineColorScheme } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { DeviceDesktopIcon, FeedPersonIcon, KeyIcon, MoonIcon, SignOutIcon, SunIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { messageOf } from "../api/failure.ts";
import { queries } from "../api/queries.ts";
import { forgetLists } from "../shared/address.ts";
import { texts } from "../texts/index.ts";
import type { Session } from "./session.ts";

/** The signed-in person: own passkeys, the colour scheme, signing out. */
export function AccountMenu({ session }: { readonly session: Session }) {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const end = api.useMutation("post", "/partner/session/end", {
    onSuccess: () => {
      queries.clear();
      forgetLists();
      // The page before must not come back by the browser's way back.
      globalThis.location.replace("/dashboard");
    },
    onError: (thrown) => notifications.show({ color: "red", title: texts.failure.title, message: messageOf(thrown) }),
  });
  const schemes = [
    ["light", SunIcon],
    ["dark", MoonIcon],
    ["auto", DeviceDesktopIcon],
  ] as const;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.account.menu}>
          <FeedPersonIcon size={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {session.person.name}
          </Text>
        </Menu.Label>
        <Menu.Item renderRoot={(props) => <Link to="/account" {...props} />} leftSection={<KeyIcon size={16} aria-hidden />}>
          {texts.account.title}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{texts.account.colours}</Menu.Label>
        {schemes.map(([scheme, Icon]) => (
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
        <Menu.Divider />
        <Menu.Item leftSection={<SignOutIcon size={16} aria-hidden />} onClick={() => end.mutate({})} disabled={end.isPending}>
          {texts.account.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
