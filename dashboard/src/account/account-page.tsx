import { Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { CallForm } from "../shared/call-form.tsx";
import { momentColumn } from "../shared/columns.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { Facts } from "../shared/facts.tsx";
import { MomentText, MomentWithUtc } from "../shared/moment.tsx";
import { Card, Page } from "../shared/page.tsx";
import { Rights } from "../shared/rights.tsx";
import { TableCard } from "../shared/table-card.tsx";
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
  const passkeys = api.useQuery("get", "/partner/passkeys");
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
      <TableCard
        title={words.passkeys}
        about={words.passkeysWhat}
        query={passkeys}
        none={{ title: words.noPasskeys, next: words.noPasskeysNext }}
        keyOf={({ passkey }) => passkey}
        columns={[
          { header: words.device, cell: ({ label }) => label },
          { header: words.added, from: "sm", cell: ({ created_at }) => <MomentText at={created_at} /> },
          momentColumn(texts.common.lastUsed, "last_used_at", { none: texts.common.never }),
          {
            header: texts.keys.actions,
            cell: ({ passkey, label }) => (
              <Confirm
                label={texts.common.remove}
                title={words.removeTitle(label)}
                consequence={words.removeWhat}
                color="red"
                disabled={passkeys.data?.data.length === 1}
                act={() => client.DELETE("/partner/passkeys/{passkey}", { params: { path: { passkey } } })}
              />
            ),
          },
        ]}
      >
        <AddPasskey />
      </TableCard>
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
