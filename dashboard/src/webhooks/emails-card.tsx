import { Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { CallForm } from "../shared/call-form.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { Card, Note } from "../shared/page.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { emails: words } = texts;

type Email = paths["/partner/emails"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

/** The addresses of an environment that hear of disputes and of webhooks that fail. Nothing where the service sends no e-mail. */
export function EmailsCard() {
  const { environment } = useEnvironment();
  const { data } = api.useQuery("get", "/partner/emails");
  const isOwner = useMay("owner");
  if (data?.available !== true) return null;
  const own = data.data.filter((one) => one.environment === environment);
  return (
    <Card title={words.title}>
      <Note>{words.about}</Note>
      {own.length > 0 && (
        <DataTable
          label={words.title}
          rows={own}
          keyOf={(row) => row.email}
          columns={[
            { header: words.address, cell: (row) => row.address ?? words.unreadable },
            { header: texts.common.status, cell: (row) => <Status status={row.state} /> },
            { header: texts.keys.actions, align: "right", cell: (row) => <RemoveEmail email={row} /> },
          ]}
        />
      )}
      {isOwner && <AddEmail key={environment} environment={environment} />}
    </Card>
  );
}

function RemoveEmail({ email: { email, address } }: { readonly email: Email }) {
  return (
    <Confirm
      label={texts.common.remove}
      of={address ?? email}
      title={words.removeTitle(address ?? email)}
      consequence={texts.common.removedWhat}
      color="red"
      act={() => client.DELETE("/partner/emails/{email}", { params: { path: { email } } })}
    />
  );
}

/** First the address, then the code that was sent to it. */
function AddEmail({ environment }: { readonly environment: Email["environment"] }) {
  const [address, setAddress] = useState("");
  const [code, setCode] = useState("");
  const [isSent, setSent] = useState(false);
  return (
    <CallForm
      action={isSent ? words.confirm : words.send}
      isQuiet
      isReady={address !== "" && (!isSent || code !== "")}
      send={async () => {
        const body = { address, environment, ...(isSent ? { code } : {}) };
        const { data } = await client.POST("/partner/emails", { body });
        const isAdded = data?.state === "added";
        setSent(!isAdded);
        setCode("");
        if (isAdded) setAddress("");
      }}
    >
      <Group grow align="flex-start">
        <TextInput
          type="email"
          label={words.address}
          value={address}
          autoComplete="off"
          onChange={(event) => {
            setAddress(event.currentTarget.value);
            setSent(false);
          }}
        />
        {isSent && (
          <TextInput
            label={texts.requests.errorCode}
            description={words.codeSent(address)}
            value={code}
            autoComplete="one-time-code"
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
      </Group>
    </CallForm>
  );
}
