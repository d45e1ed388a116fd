import { ActionIcon, Group, Stack, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { TrashIcon } from "@primer/octicons-react";
import { useState } from "react";
import { messageOf } from "../../api/failure.ts";
import { refreshAll } from "../../api/queries.ts";
import { CallForm } from "../../shared/call-form.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Card } from "../../shared/page.tsx";
import { api, client } from "../api/client.ts";
import { useMay } from "../shell/session.ts";
import { words } from "../texts.ts";

const { notes: own } = words;

const remove = async (note: string) => {
  try {
    await client.DELETE("/ops/notes/{note}", { params: { path: { note } } });
    await refreshAll();
  } catch (thrown) {
    notifications.show({ color: "red", message: messageOf(thrown) });
  }
};

/** What colleagues wrote about an object, and a field to write more. */
export function Notes({ target }: { readonly target: string }) {
  // What is typed about one object must not be written about another.
  return <NotesOf key={target} target={target} />;
}

function NotesOf({ target }: { readonly target: string }) {
  const { data } = api.useQuery("get", "/ops/notes", { params: { query: { target } } });
  const [text, setText] = useState("");
  const may = useMay();
  return (
    <Card title={own.title}>
      <Stack gap="sm">
        {data?.data.length === 0 && (
          <Text size="sm" c="dimmed">
            {own.none}
          </Text>
        )}
        {data?.data.map(({ id, text: said, author, created_at }) => (
          <Group key={id} justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
                {said}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                {author} · <MomentText at={created_at} />
              </Text>
            </div>
            {may("support") && (
              <ActionIcon variant="subtle" color="gray" onClick={() => void remove(id)} aria-label={own.remove}>
                <TrashIcon size={14} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        ))}
        {may("support") && (
          <CallForm
            action={own.add}
            isReady={text.trim() !== ""}
            send={async () => {
              await client.POST("/ops/notes", { body: { target, text } });
              setText("");
            }}
          >
            <Textarea
              aria-label={own.add}
              placeholder={own.placeholder}
              value={text}
              autosize
              minRows={2}
              maxLength={1000}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </CallForm>
        )}
      </Stack>
    </Card>
  );
}
