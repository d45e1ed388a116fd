import { Code, Stack } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { NotFound } from "../../shared/not-found.tsx";
import { Card, Note, Page } from "../../shared/page.tsx";
import { useIdInPath, useSearchTexts } from "../../shared/search-texts.ts";
import { ShownOnce } from "../../shared/shown-once.tsx";
import { PageSkeleton } from "../../shared/skeletons.tsx";
import type { CallDefinition } from "../api/call-definition.ts";
import type { Answer } from "../api/client.ts";
import { useDefinitions } from "../api/definitions-query.ts";
import { words } from "../texts.ts";
import { AnswerView } from "./answer-view.tsx";
import { CallForm } from "./call-form.tsx";
import { nameOfCall } from "./names.ts";
import { secretIn } from "./outcome.ts";

const { calls: own } = words;

/** A call that no other page has, from the palette. */
export function CallPage() {
  const wanted = useIdInPath("call");
  const definitions = useDefinitions();
  if (definitions.length === 0) return <PageSkeleton />;
  const call = definitions.find(({ command }) => command.replaceAll(" ", "-") === wanted);
  return call === undefined ? <NotFound /> : <CallOf key={call.command} call={call} />;
}

/** The answer is shown until the page is left: a reload makes no second call, and another call has its own. */
function CallOf({ call }: { readonly call: CallDefinition }) {
  const given = useSearchTexts();
  const navigate = useNavigate();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const secret = answer === null ? null : secretIn(answer);
  return (
    <Page title={nameOfCall(call.command)} about={`${call.summary.replaceAll("`", "")}.`} back={{ to: "/", label: words.navigation.home }}>
      <Card>
        <CallForm
          call={call}
          given={{}}
          initial={given}
          action={call.method === "GET" ? own.show : own.make}
          onDone={(done) => {
            setAnswer(done);
            // The address keeps nothing of a change that was made.
            if (call.method !== "GET") void navigate({ to: ".", search: {}, replace: true });
            // It stands below the form.
            return false;
          }}
        />
      </Card>
      {secret !== null && (
        <ShownOnce
          title={words.actions.shownOnce}
          value={secret.value}
          what={secret.what}
          how={words.actions.shownOnceHow}
          onClose={() => setAnswer(null)}
        />
      )}
      {answer !== null && secret === null && (
        <Card title={own.answer}>
          <AnswerView answer={answer} />
        </Card>
      )}
      <Stack gap={4}>
        <Note>{own.asCommand}</Note>
        <Code block tabIndex={0}>{`npm run ops -- ${call.command} --help`}</Code>
      </Stack>
    </Page>
  );
}
