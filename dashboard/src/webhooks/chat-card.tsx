import { Alert, Group, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { AlertIcon } from "@primer/octicons-react";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { statusOf } from "../api/failure.ts";
import type { paths } from "../api/schema.d.ts";
import { CallForm } from "../shared/call-form.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentWithUtc } from "../shared/moment.tsx";
import { Card, Note } from "../shared/page.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { texts } from "../texts/index.ts";

const { chat: words } = texts;

/** The partner's chat, which is notified of what a person wants to know at once. */
export function ChatCard() {
  const { data, error, refetch } = api.useQuery("get", "/partner/chat", {}, { retry: false });
  if (data === undefined && error === null) return <RowsSkeleton />;
  if (data === undefined && statusOf(error) !== 404) return <Failure thrown={error} retry={() => void refetch()} />;
  return <Card title={words.title}>{data === undefined ? <ChatForm /> : <KnownChat chat={data} />}</Card>;
}

type Chat = paths["/partner/chat"]["get"]["responses"]["200"]["content"]["application/json"];

function KnownChat({ chat }: { readonly chat: Chat }) {
  const [said, setSaid] = useState<string | null>(null);
  return (
    <>
      <Facts
        facts={[
          [words.kind, words.kinds[chat.kind]],
          [words.host, chat.host],
          [texts.common.status, <Status key="state" status={chat.state} />],
          [words.setAt, <MomentWithUtc key="at" at={chat.set_at} />],
        ]}
      />
      {chat.state !== "active" && (
        <Alert color="orange" icon={<AlertIcon size={18} aria-hidden />}>
          {words.fails}
        </Alert>
      )}
      <CallForm
        action={words.test}
        isQuiet
        send={async () => {
          setSaid(null);
          const { data } = await client.POST("/partner/chat/test");
          setSaid(data?.success === true ? words.tested : words.testFailed(data?.status ?? null));
        }}
      >
        {said !== null && (
          <Text size="sm" role="status">
            {said}
          </Text>
        )}
      </CallForm>
      <Group>
        <Confirm
          label={words.remove}
          title={words.removeTitle}
          consequence={texts.common.removedWhat}
          color="red"
          act={() => client.DELETE("/partner/chat")}
        />
      </Group>
      {chat.state !== "active" && <ChatForm />}
    </>
  );
}

function ChatForm() {
  const [kind, setKind] = useState<"webhook" | "telegram">("webhook");
  const form = useForm({ initialValues: { webhook_url: "", token: "", chat: "" } });
  const { webhook_url, token, chat } = form.getValues();
  return (
    <CallForm
      action={words.set}
      isReady={kind === "webhook" ? webhook_url !== "" : token !== "" && chat !== ""}
      send={() => client.PUT("/partner/chat", { body: kind === "webhook" ? { kind, webhook_url } : { kind, token, chat } })}
    >
      <Note>{words.about}</Note>
      <Group>
        <SegmentedControl
          value={kind}
          onChange={(value) => setKind(value === "telegram" ? "telegram" : "webhook")}
          data={[
            { value: "webhook", label: words.kinds.webhook },
            { value: "telegram", label: words.kinds.telegram },
          ]}
          aria-label={words.kind}
        />
      </Group>
      {kind === "webhook" ? (
        <TextInput type="url" label={words.url} {...form.getInputProps("webhook_url")} />
      ) : (
        <Group grow align="flex-start">
          <TextInput label={words.token} autoComplete="off" {...form.getInputProps("token")} />
          <TextInput label={words.chat} {...form.getInputProps("chat")} />
        </Group>
      )}
    </CallForm>
  );
}
