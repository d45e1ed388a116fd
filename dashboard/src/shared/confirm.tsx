import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { refreshAll } from "../api/queries.ts";
import { texts } from "../texts/index.ts";
import { Refusal } from "./refusal.tsx";
import { sayDone } from "./say-done.ts";
import { useSending } from "./use-sending.ts";

interface ConfirmProps extends ButtonProps {
  readonly label: string;
  readonly title: string;
  /** What it is about, where each row has such a button: for screen readers. */
  readonly of?: string;
  /** What will happen, in one or two sentences. */
  readonly consequence: string;
  /** `andMade`: also to what the subject has made. It answers that, if anything is left. */
  readonly act: (andMade: boolean) => Promise<unknown>;
}

/** The name of a button that each row has, for screen readers. */
export const namedOf = (label: string, of: string | undefined) => (of === undefined ? {} : { "aria-label": `${label}: ${of}` });

/** The keys and people that a key or a person made, and that still work. */
export interface Made {
  readonly keys: readonly string[];
  readonly people: readonly string[];
}

const isMade = (value: unknown): value is Made => typeof value === "object" && value !== null && "keys" in value && "people" in value;

/**
 * A button whose act is asked about first. A refusal stays in the question, and the act cannot be done twice. If what the subject
 * made is left, the question goes on with that. The page is read again once the question is closed: the change may take the button away.
 */
export function Confirm({ label, title, of, consequence, act, ...button }: ConfirmProps) {
  // The question is about what was there when it was asked.
  const [asked, setAsked] = useState<Pick<ConfirmProps, "label" | "title" | "consequence" | "act"> | null>(null);
  const [isDone, setDone] = useState(false);
  const [isOpen, { open, close: hide }] = useDisclosure();
  const close = (done = isDone) => {
    hide();
    if (done) void refreshAll();
  };
  const { isBusy, failure, send, forget } = useSending();
  const [left, setLeft] = useState<Made | null>(null);
  const confirm = () =>
    send(async () => {
      const made = await asked?.act(left !== null);
      setDone(true);
      if (left === null && isMade(made) && made.keys.length + made.people.length > 0) setLeft(made);
      else {
        close(true);
        sayDone(asked?.label ?? label);
      }
    });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        {...button}
        {...namedOf(label, of)}
        onClick={() => {
          forget();
          setLeft(null);
          setDone(false);
          setAsked({ label, title, consequence, act });
          open();
        }}
      >
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => close()}
        title={asked?.title}
        closeOnEscape={!isBusy}
        closeOnClickOutside={!isBusy}
        withCloseButton={!isBusy}
      >
        <Stack>
          <Text size="sm">{left === null ? asked?.consequence : texts.confirm.made(left.keys.length, left.people.length)}</Text>
          <Refusal text={failure} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => close()} disabled={isBusy} data-autofocus>
              {left === null ? texts.confirm.cancel : texts.confirm.keepMade}
            </Button>
            <Button color={button.color === "red" ? "red.9" : button.color} loading={isBusy} onClick={() => void confirm()}>
              {left === null ? asked?.label : texts.confirm.endMade}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
