import { ActionIcon, Button, Group, Menu, Modal, Stack, TextInput } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { FilterIcon, TrashIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useSearchTexts } from "../shared/search-texts.ts";
import { texts } from "../texts/index.ts";
import { keptFilters, usedFilters, type View } from "./kept-filters.ts";

/** Sets of filters that a person keeps, by name, in this browser. */
export function SavedFilters({ list, names }: { readonly list: string; readonly names: readonly string[] }) {
  const search = useSearchTexts();
  const navigate = useNavigate();
  const [views, setViews] = useLocalStorage<Record<string, View>>({
    key: `filters of ${list}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const [isOpen, { open, close }] = useDisclosure();
  const wanted = [...names, "env", "period", "sort"];
  const now = keptFilters(Object.fromEntries(wanted.flatMap((one) => (search[one] === undefined ? [] : [[one, search[one]]]))));
  const use = (view: View) =>
    void navigate({
      to: ".",
      search: (before: object) => ({
        ...before,
        ...Object.fromEntries(wanted.map((one) => [one, undefined])),
        ...usedFilters(view),
        cursor: undefined,
      }),
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<FilterIcon size={14} aria-hidden />}>
            {texts.list.views}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(views).map(([view, filters]) => (
            <Group key={view} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => use(filters)}>{view}</Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={texts.list.remove(view)}
                onClick={() => setViews((before) => Object.fromEntries(Object.entries(before).filter(([one]) => one !== view)))}
              >
                <TrashIcon size={14} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          {Object.keys(views).length > 0 && <Menu.Divider />}
          <Menu.Item onClick={open}>{texts.list.saveView}</Menu.Item>
          <Menu.Label>{texts.list.viewsWhat}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isOpen} onClose={close} title={texts.list.saveView}>
        <NameForm
          save={(name) => {
            setViews((before) => ({ ...before, [name]: now }));
            close();
          }}
        />
      </Modal>
    </>
  );
}

function NameForm({ save }: { readonly save: (name: string) => void }) {
  const [name, setName] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save(name.trim());
      }}
    >
      <Stack>
        <TextInput
          label={texts.common.name}
          value={name}
          required
          maxLength={60}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={name.trim() === ""}>
            {texts.list.saveView}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
