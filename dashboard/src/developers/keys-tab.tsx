import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { keys } from "../objects/keys/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { CallForm } from "../shared/call-form.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { DateInput } from "../shared/date-input.tsx";
import { Note } from "../shared/page.tsx";
import { ShownOnce } from "../shared/shown-once.tsx";
import { type Right, useSession } from "../shell/session.ts";
import { PermitButton } from "../team/permit-button.tsx";
import { RightsField } from "../team/rights-field.tsx";
import { texts } from "../texts/index.ts";

type Key = paths["/partner/keys"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

type Made = paths["/partner/keys"]["post"]["responses"]["201"]["content"]["application/json"];

const { keys: words } = texts;

/** The partner's keys: made, permitted and revoked here. A key itself is shown once. */
export function KeysTab() {
  const [isOpen, { open, close }] = useDisclosure();
  const [made, setMade] = useState<Pick<Made, "key" | "key_id"> | null>(null);
  return (
    <Stack>
      <Group justify="space-between">
        <Note>{words.about}</Note>
        <Button size="xs" leftSection={<PlusIcon size={14} aria-hidden />} onClick={open}>
          {words.create}
        </Button>
      </Group>
      {made !== null && (
        <ShownOnce title={words.made} value={made.key} what={words.key} how={words.madeHow} onClose={() => setMade(null)} />
      )}
      <ObjectList
        of={keys}
        columns={[
          {
            header: words.actions,
            cell: (row) =>
              ["active", "disabled"].includes(row.state) ? (
                <KeyActions row={row} onRevoked={() => setMade((shown) => (shown?.key_id === row.key_id ? null : shown))} />
              ) : null,
          },
        ]}
      />
      <Modal opened={isOpen} onClose={close} title={words.create} size="lg">
        <NewKeyForm
          onMade={(key) => {
            setMade(key);
            close();
          }}
        />
      </Modal>
    </Stack>
  );
}

function NewKeyForm({ onMade }: { readonly onMade: (made: Made) => void }) {
  const [label, setLabel] = useState("");
  const [permissions, setPermissions] = useState<Right[]>([]);
  const [expires, setExpires] = useState("");
  return (
    <CallForm
      action={words.createAction}
      isQuiet
      isReady={label.trim() !== ""}
      send={async () => {
        const body = { label, permissions, ...(expires === "" ? {} : { expires_at: expires }) };
        const { data } = await client.POST("/partner/keys", { body });
        if (data !== undefined) onMade(data);
      }}
    >
      <TextInput
        label={texts.common.name}
        description={words.labelWhat}
        value={label}
        maxLength={200}
        required
        onChange={(event) => setLabel(event.currentTarget.value)}
        data-autofocus
      />
      <RightsField value={permissions} onChange={setPermissions} />
      <DateInput label={texts.common.expires} placeholder={texts.common.never} value={expires} onChange={setExpires} />
    </CallForm>
  );
}

function KeyActions({ row, onRevoked }: { readonly row: Key; readonly onRevoked: () => void }) {
  const { person } = useSession();
  const params = { params: { path: { key: row.key_id } } };
  return (
    <Group gap="xs">
      <PermitButton
        name={row.label}
        permissions={row.permissions}
        // A key that is an owner belongs to the person who makes it one.
        without={row.employee_id === person.id ? [] : ["owner"]}
        save={async (permissions, and_made) =>
          (await client.PUT("/partner/keys/{key}/permissions", { ...params, body: { permissions, and_made } })).data?.made
        }
      />
      <Confirm
        label={words.revoke}
        of={row.label}
        title={words.revokeTitle(row.label)}
        consequence={words.revokeWhat}
        color="red"
        act={async (andMade) => {
          const { data } = await client.POST("/partner/keys/{key}/revoke", { ...params, body: { and_made: andMade } });
          onRevoked();
          return data?.made;
        }}
      />
    </Group>
  );
}
