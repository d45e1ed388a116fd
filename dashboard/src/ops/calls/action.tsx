import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { messageOf } from "../../api/failure.ts";
import { refreshAll } from "../../api/queries.ts";
import { Note } from "../../shared/page.tsx";
import { ShownOnce } from "../../shared/shown-once.tsx";
import { texts } from "../../texts/index.ts";
import type { Answer } from "../api/client.ts";
import { useDefinition } from "../api/definitions-query.ts";
import { perform } from "../api/perform.ts";
import type { Given } from "../api/request-of.ts";
import { useMay } from "../shell/session.ts";
import { words } from "../texts.ts";
import { AnswerView } from "./answer-view.tsx";
import { CallForm } from "./call-form.tsx";
import { nameOfCall } from "./names.ts";
import { hasResult, outcomeOf, secretIn } from "./outcome.ts";

interface ActionProps extends ButtonProps {
  readonly call: string;
  readonly given: Given;
  /** Left out: the name of the call. */
  readonly label?: string;
  readonly initial?: Given;
  /** What the call is about, where several stand side by side: it is shown above the form. */
  readonly about?: string;
  /** Done at once: it can be undone, or asks the outside only to look again. */
  readonly isImmediate?: boolean;
  readonly onDone?: (answer: Answer) => void;
}

const { actions: own } = words;

/** A button for a call about the object of a page. An operator without the role for it does not see it. */
export function Action({
  call: command,
  given,
  label = nameOfCall(command),
  initial,
  about,
  isImmediate = false,
  onDone,
  ...button
}: ActionProps) {
  const call = useDefinition(command);
  const may = useMay();
  const [isOpen, { open, close }] = useDisclosure();
  const [shown, setShown] = useState<Answer | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (call === undefined || !may(call.role)) return null;
  const done = (answer: Answer) => {
    // A secret is shown, and what a call did or left; a plain success is only noted.
    const isShown = secretIn(answer) !== null || hasResult(answer);
    if (isShown) {
      setShown(answer);
      open();
    } else {
      close();
      notifications.show({
        color: outcomeOf(answer).isGood ? "green" : "orange",
        message: outcomeOf(answer).says ?? texts.confirm.done(label),
      });
    }
    onDone?.(answer);
    return isShown;
  };
  const now = async () => {
    setBusy(true);
    try {
      if (!done(await perform(call, given))) await refreshAll();
    } catch (thrown) {
      notifications.show({ color: "red", title: texts.failure.title, message: messageOf(thrown), autoClose: 15_000 });
    }
    setBusy(false);
  };
  const secret = shown === null ? null : secretIn(shown);
  const end = () => {
    setShown(null);
    close();
    if (shown !== null) void refreshAll();
  };
  return (
    <>
      <Button size="xs" variant="default" {...button} loading={isBusy && !isOpen} onClick={isImmediate ? () => void now() : open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={end} title={nameOfCall(command)} size="lg" {...(secret === null && !isBusy ? {} : KEPT_OPEN)}>
        {shown === null && (
          <Stack>
            {about !== undefined && <Text fw={600}>{about}</Text>}
            <Note>{call.summary.replaceAll("`", "")}.</Note>
            <CallForm call={call} given={given} initial={initial} action={label} onDone={done} onBusy={setBusy} />
          </Stack>
        )}
        {secret !== null && (
          <ShownOnce title={own.shownOnce} value={secret.value} what={secret.what} how={own.shownOnceHow} onClose={end} />
        )}
        {shown !== null && secret === null && (
          <Stack>
            <AnswerView answer={shown} />
            <Group justify="flex-end">
              <Button onClick={end} data-autofocus>
                {texts.confirm.close}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}

/** A secret, and a call that goes on, are closed on purpose alone. */
const KEPT_OPEN = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false } as const;
