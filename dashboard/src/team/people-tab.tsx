import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";
import { client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import type { paths } from "../api/schema.d.ts";
import { ObjectList } from "../objects/object-list.tsx";
import { people } from "../objects/people/list.tsx";
import { CallForm } from "../shared/call-form.tsx";
import { Confirm, type Made } from "../shared/confirm.tsx";
import { ShownOnce } from "../shared/shown-once.tsx";
import { type Right, useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { RightsField } from "./rights-field.tsx";

type Person = paths["/partner/people"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

const { people: words } = texts;

/** The partner's people: invited, permitted and disabled here. */
export function PeopleTab() {
  const [isOpen, { open, close }] = useDisclosure();
  const [link, setLink] = useState<{ readonly url: string; readonly name: string } | null>(null);
  return (
    <Stack>
      <Group justify="flex-end">
        <Button size="xs" leftSection={<PlusIcon size={14} aria-hidden />} onClick={open}>
          {words.invite}
        </Button>
      </Group>
      {link !== null && (
        <ShownOnce
          title={words.invited(link.name)}
          value={link.url}
          what={words.link}
          how={words.invitedHow}
          onClose={() => setLink(null)}
        />
      )}
      <ObjectList
        of={people}
        columns={[{ header: texts.keys.actions, cell: (row) => <PersonActions person={row} onInvited={setLink} /> }]}
      />
      <Modal opened={isOpen} onClose={close} title={words.invite} size="lg">
        <InviteForm
          onInvited={(invited) => {
            setLink(invited);
            close();
          }}
        />
      </Modal>
    </Stack>
  );
}

interface InvitedProps {
  readonly onInvited: (invited: { readonly url: string; readonly name: string }) => void;
}

function InviteForm({ onInvited }: InvitedProps) {
  const [name, setName] = useState("");
  const [permissions, setPermissions] = useState<Right[]>([]);
  return (
    <CallForm
      action={words.inviteAction}
      isQuiet
      isReady={name.trim() !== ""}
      send={async () => {
        const { data } = await client.POST("/partner/people", { body: { name, permissions } });
        if (data !== undefined) onInvited({ url: data.url, name });
      }}
    >
      <TextInput
        label={words.name}
        value={name}
        maxLength={200}
        required
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <RightsField value={permissions} onChange={setPermissions} />
    </CallForm>
  );
}

function PersonActions({ person, onInvited }: InvitedProps & { readonly person: Person }) {
  const session = useSession();
  const [isOpen, { open, close }] = useDisclosure();
  const [permissions, setPermissions] = useState<Right[]>(person.permissions);
  const [beyond, setBeyond] = useState<Made | null>(null);
  const params = { params: { path: { person: person.id } } };
  const isSelf = session.person.id === person.id;
  const isActive = person.status === "active";
  const change = async (verb: "disable" | "enable", andMade: boolean) => {
    const { data } =
      verb === "disable"
        ? await client.POST("/partner/people/{person}/disable", { ...params, body: { and_made: andMade } })
        : await client.POST("/partner/people/{person}/enable", { ...params, body: {} });
    return verb === "disable" ? data?.made : undefined;
  };
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          setPermissions(person.permissions);
          setBeyond(null);
          open();
        }}
      >
        {texts.keys.permit}
      </Button>
      <Modal opened={isOpen} onClose={close} title={texts.keys.permitTitle(person.name)} size="lg">
        <CallForm
          action={beyond === null ? texts.keys.permitAction : words.narrowMade}
          send={async () => {
            const body = { permissions, and_made: beyond !== null };
            const { data } = await client.PUT("/partner/people/{person}/permissions", { ...params, body });
            const made = data?.made;
            if (beyond === null && made !== undefined && made.keys.length + made.people.length > 0) setBeyond(made);
            else close();
          }}
        >
          {beyond !== null && <Alert color="orange">{words.beyond(beyond.keys.length, beyond.people.length)}</Alert>}
          <RightsField value={permissions} onChange={setPermissions} before={person.permissions} />
        </CallForm>
      </Modal>
      {isActive && !isSelf && (
        <Confirm
          label={words.inviteAgain}
          title={words.inviteAgainTitle(person.name)}
          consequence={words.inviteAgainWhat}
          visibleFrom="md"
          act={async () => {
            const { data } = await client.POST("/partner/people/{person}/invitation", params);
            if (data !== undefined) onInvited({ url: data.url, name: person.name });
            await refreshAll();
          }}
        />
      )}
      {!isSelf && (
        <Confirm
          label={isActive ? words.disable : words.enable}
          title={isActive ? words.disableTitle(person.name) : words.enableTitle(person.name)}
          consequence={isActive ? words.disableWhat : words.enableWhat}
          act={(andMade) => change(isActive ? "disable" : "enable", andMade)}
          after={refreshAll}
          {...(isActive ? { color: "red" } : {})}
        />
      )}
    </Group>
  );
}
