import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { ObjectList } from "../objects/object-list.tsx";
import { people } from "../objects/people/list.tsx";
import { CallForm } from "../shared/call-form.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { ShownOnce } from "../shared/shown-once.tsx";
import { type Right, useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { PermitButton } from "./permit-button.tsx";
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
      <PermitButton
        name={person.name}
        permissions={person.permissions}
        save={async (permissions, and_made) =>
          (await client.PUT("/partner/people/{person}/permissions", { ...params, body: { permissions, and_made } })).data?.made
        }
      />
      {isActive && !isSelf && (
        <Confirm
          label={words.inviteAgain}
          of={person.name}
          title={words.inviteAgainTitle(person.name)}
          consequence={words.inviteAgainWhat}
          act={async () => {
            const { data } = await client.POST("/partner/people/{person}/invitation", params);
            if (data !== undefined) onInvited({ url: data.url, name: person.name });
          }}
        />
      )}
      {!isSelf && (
        <Confirm
          label={isActive ? texts.links.disable : texts.links.enable}
          of={person.name}
          title={isActive ? words.disableTitle(person.name) : words.enableTitle(person.name)}
          consequence={isActive ? words.disableWhat : words.enableWhat}
          act={(andMade) => change(isActive ? "disable" : "enable", andMade)}
          {...(isActive ? { color: "red" } : {})}
        />
      )}
    </Group>
  );
}
