import { Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { CallForm } from "../../shared/call-form.tsx";
import { Confirm } from "../../shared/confirm.tsx";
import { Failure } from "../../shared/failure.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { momentText } from "../../shared/moment-text.ts";
import { Card, Note } from "../../shared/page.tsx";
import { api, client } from "../api/client.ts";
import { useMay } from "../shell/session.ts";
import { words } from "../texts.ts";

const { notes: own } = words;

/** What colleagues wrote about an object, and a field to write more. */
export function Notes({ target }: { readonly target: string }) {
  // What is typed about one object must not be written about another.
  return <NotesOf key={target} target={target} />;
}

function NotesOf({ target }: { readonly target: string }) {
  const { data, error, refetch } = api.useQuery("get", "/ops/notes", { params: { query: { target } } });
  const [text, setText] = useState("");
  const may = useMay();
  return (
    <Card title={own.title}>
      <Stack gap="sm">
        {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
        {data?.data.length === 0 && <Note>{own.none}</Note>}
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
              <Confirm
                label={own.remove}
                of={`${author}, ${momentText(created_at)}`}
                title={own.removeTitle(author)}
                consequence={said}
                color="red"
                variant="subtle"
                act={() => client.DELETE("/ops/notes/{note}", { params: { path: { note: id } } })}
              />
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
