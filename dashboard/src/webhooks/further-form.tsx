import { Button, Group, Modal, MultiSelect, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { eventKinds } from "../objects/events/event-kinds.ts";
import { CallForm } from "../shared/call-form.tsx";
import { ShownOnce } from "../shared/shown-once.tsx";
import type { Environment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { bodyOf, changesOf, type Terms } from "./terms.ts";

type Endpoint = paths["/partner/webhooks"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

const { webhooks: words } = texts;

const NONE: Terms = { name: "", webhook_url: "", kinds: [] };

/** Opens the form for a webhook besides the first one of the environment, and shows its secret once it is added. */
export function AddWebhook({ environment }: { readonly environment: Environment }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      {secret !== null && (
        <ShownOnce title={words.added} value={secret} what={words.secret} how={words.addedHow} onClose={() => setSecret(null)} />
      )}
      <Group>
        <Button size="xs" variant="default" onClick={open} leftSection={<PlusIcon size={14} aria-hidden />}>
          {words.add}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={close} title={words.add} size="lg">
        <AddForm
          environment={environment}
          onDone={(added) => {
            setSecret(added);
            close();
          }}
        />
      </Modal>
    </>
  );
}

interface AddFormProps {
  readonly environment: Environment;
  /** With the secret, which is shown once. */
  readonly onDone: (secret: string | null) => void;
}

function AddForm({ environment, onDone }: AddFormProps) {
  const [terms, setTerms] = useState(NONE);
  return (
    <CallForm
      action={words.addAction}
      isReady={terms.name.trim() !== "" && terms.webhook_url !== ""}
      send={async () => {
        const { data } = await client.POST("/partner/webhooks", { body: { environment, ...bodyOf(terms) } });
        onDone(data?.signing_secret ?? null);
      }}
    >
      <TermsFields environment={environment} terms={terms} onChange={setTerms} />
    </CallForm>
  );
}

interface ChangeFormProps {
  readonly endpoint: Endpoint;
  readonly onDone: () => void;
}

/** Changes a webhook that was added. */
export function ChangeForm({ endpoint, onDone }: ChangeFormProps) {
  // What was there when the form was opened: a colleague's change since then is not taken back.
  const [before] = useState<Terms>(() => ({
    name: endpoint.name ?? "",
    webhook_url: endpoint.webhook_url,
    kinds: eventKinds.filter((kind) => endpoint.events?.includes(kind) === true),
  }));
  const [terms, setTerms] = useState(before);
  const changes = changesOf(before, terms);
  return (
    <CallForm
      action={texts.products.change}
      isReady={terms.name.trim() !== "" && terms.webhook_url !== "" && Object.keys(changes).length > 0}
      send={async () => {
        await client.PATCH("/partner/webhooks/{webhook}", { params: { path: { webhook: endpoint.webhook } }, body: changes });
        onDone();
      }}
    >
      <TermsFields environment={endpoint.environment} terms={terms} onChange={setTerms} />
    </CallForm>
  );
}

interface TermsFieldsProps {
  readonly environment: Environment;
  readonly terms: Terms;
  readonly onChange: (terms: Terms) => void;
}

function TermsFields({ environment, terms, onChange }: TermsFieldsProps) {
  return (
    <>
      <TextInput
        label={texts.common.name}
        placeholder={words.nameExample}
        required
        value={terms.name}
        onChange={(event) => onChange({ ...terms, name: event.currentTarget.value })}
      />
      <TextInput
        label={words.url}
        type="url"
        placeholder="https://books.example/hooks"
        description={environment === "live" ? words.liveUrl : words.testUrl}
        required
        value={terms.webhook_url}
        onChange={(event) => onChange({ ...terms, webhook_url: event.currentTarget.value })}
      />
      <MultiSelect
        label={words.kinds}
        description={words.kindsWhat}
        placeholder={terms.kinds.length === 0 ? words.allKinds : undefined}
        data={[...eventKinds]}
        value={[...terms.kinds]}
        onChange={(chosen) => onChange({ ...terms, kinds: eventKinds.filter((kind) => chosen.includes(kind)) })}
        searchable
        clearable
      />
    </>
  );
}
