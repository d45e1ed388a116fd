import { Button, type ButtonProps, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { messageOf } from "../../api/failure.ts";
import { refreshAll } from "../../api/queries.ts";
import { ShownOnce } from "../../shared/shown-once.tsx";
import { texts } from "../../texts/index.ts";
import type { Answer } from "../api/client.ts";
import { useDefinition } from "../api/definitions-query.ts";
import { type Given, perform } from "../api/perform.ts";
import { useMay } from "../shell/session.ts";
import { words } from "../texts.ts";
import { CallForm } from "./call-form.tsx";
import { nameOfCall } from "./names.ts";

interface ActionProps extends ButtonProps {
  readonly call: string;
  readonly given: Given;
  readonly label: string;
  readonly initial?: Given;
  /** Done at once: it can be undone, or asks the outside only to look again. */
  readonly isImmediate?: boolean;
  readonly onDone?: (answer: Answer) => void;
}

const { actions: own } = words;

/** A button for a call about the object of a page. An operator without the role for it does not see it. */
export function Action({ call: command, given, label, initial, isImmediate = false, onDone, ...button }: ActionProps) {
  const call = useDefinition(command);
  const may = useMay();
  const [isOpen, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (call === undefined || !may(call.role)) return null;
  const done = (answer: Answer) => {
    const shown = secretIn(answer);
    setSecret(shown);
    if (shown === null) {
      close();
      notifications.show({ color: outcomeOf(answer).isGood ? "green" : "orange", message: outcomeOf(answer).says ?? own.done(label) });
    }
    onDone?.(answer);
  };
  const now = async () => {
    setBusy(true);
    try {
      done(await perform(call, given));
      await refreshAll();
    } catch (thrown) {
      notifications.show({ color: "red", title: texts.failure.title, message: messageOf(thrown), autoClose: 15_000 });
    }
    setBusy(false);
  };
  const end = () => {
    setSecret(null);
    close();
  };
  return (
    <>
      <Button size="xs" variant="default" {...button} loading={isBusy} onClick={isImmediate ? () => void now() : open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={end} title={nameOfCall(command)} size="lg" {...(secret === null ? {} : KEPT_OPEN)}>
        {secret === null ? (
          <Stack>
            <Text size="sm" c="dimmed">
              {call.summary.replaceAll("`", "")}.
            </Text>
            <CallForm call={call} given={given} initial={initial} action={label} isDangerous={call.irreversible !== null} onDone={done} />
          </Stack>
        ) : (
          <ShownOnce title={own.shownOnce} value={secret.value} what={secret.what} how={own.shownOnceHow} onClose={end} />
        )}
      </Modal>
    </>
  );
}

/** A secret is closed on purpose alone. */
const KEPT_OPEN = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false } as const;

interface Secret {
  readonly value: string;
  readonly what: string;
}

/** What an answer shows once: a new key, or an invitation's address. */
function secretIn({ key, url, expires_at }: Answer): Secret | null {
  if (typeof key === "string" && key.length > 20) return { value: key, what: own.key };
  return typeof url === "string" && typeof expires_at === "string" ? { value: url, what: own.invitation } : null;
}

/** How a call ended that reports it: a delivery's attempt, or a payment at the bank. */
function outcomeOf({ success, attempt, problem }: Answer): { readonly isGood: boolean; readonly says: string | null } {
  if (typeof problem === "string") return { isGood: false, says: problem };
  if (typeof attempt !== "object" || attempt === null) return { isGood: success !== false, says: null };
  const { status, error } = attempt as { readonly status?: number | null; readonly error?: string | null };
  return { isGood: success !== false, says: own.receiverSaid(status == null ? (error ?? "") : `HTTP ${status}`) };
}
