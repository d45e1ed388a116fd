import { Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { CallForm } from "../shared/call-form.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentText, MomentWithUtc } from "../shared/moment.tsx";
import { Card, Page } from "../shared/page.tsx";
import { Rights } from "../shared/rights.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { LanguageChoice } from "../shell/language-choice.tsx";
import { useSession } from "../shell/session.ts";
import { deviceName, makePasskey } from "../sign-in/passkeys.ts";
import { texts } from "../texts/index.ts";
import { ExpiredCheckoutsCard } from "./expired-checkouts-card.tsx";
import { TimeZoneCard } from "./time-zone-card.tsx";

const { account: words } = texts;

/** The signed-in person: rights, and passkeys of their devices. */
export function AccountPage() {
  const { person, permissions, expires_at } = useSession();
  const { data, error, refetch } = api.useQuery("get", "/partner/passkeys");
  return (
    <Page title={words.title} about={person.name}>
      <Card title={texts.orders.facts}>
        <Facts
          facts={[
            [texts.rights.label, <Rights key="rights" rights={permissions} />],
            [words.language, <LanguageChoice key="language" />],
            [words.until, <MomentWithUtc key="until" at={expires_at} />],
          ]}
        />
      </Card>
      <TimeZoneCard />
      <ExpiredCheckoutsCard />
      <Card title={words.passkeys}>
        <Text size="sm" c="dimmed">
          {words.passkeysWhat}
        </Text>
        {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <RowsSkeleton />}
        {data !== undefined && data.data.length === 0 && <Empty title={words.noPasskeys} next={words.noPasskeysNext} />}
        {data !== undefined && data.data.length > 0 && (
          <DataTable
            label={words.passkeys}
            rows={data.data}
            keyOf={({ passkey }) => passkey}
            columns={[
              { header: words.device, cell: ({ label }) => label },
              { header: words.added, from: "sm", cell: ({ created_at }) => <MomentText at={created_at} /> },
              {
                header: texts.common.lastUsed,
                cell: ({ last_used_at }) => (last_used_at === null ? texts.common.never : <MomentText at={last_used_at} />),
              },
              {
                header: texts.keys.actions,
                cell: ({ passkey, label }) => (
                  <Confirm
                    label={texts.common.remove}
                    title={words.removeTitle(label)}
                    consequence={words.removeWhat}
                    color="red"
                    disabled={data.data.length === 1}
                    act={() => client.DELETE("/partner/passkeys/{passkey}", { params: { path: { passkey } } })}
                  />
                ),
              },
            ]}
          />
        )}
        <AddPasskey />
      </Card>
    </Page>
  );
}

function AddPasskey() {
  const [label, setLabel] = useState(deviceName);
  const [isAdded, setAdded] = useState(false);
  return (
    <CallForm
      action={words.add}
      isQuiet
      isReady={label.trim() !== ""}
      send={async () => {
        setAdded(false);
        const { data } = await client.POST("/partner/passkeys/challenge");
        await client.POST("/partner/passkeys", { body: { response: await makePasskey(data?.options), label } });
        setAdded(true);
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={texts.invitation.device}
          description={words.addWhat}
          value={label}
          maxLength={100}
          onChange={(event) => setLabel(event.currentTarget.value)}
          maw={360}
        />
        {isAdded && (
          <Text size="sm" role="status">
            {words.isAdded}
          </Text>
        )}
      </Stack>
    </CallForm>
  );
}
