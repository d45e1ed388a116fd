import { Alert, Button, Code, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { CheckCircleIcon, XCircleIcon } from "@primer/octicons-react";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { type EventKind, eventKinds } from "../objects/events/event-kinds.ts";
import { CallForm } from "../shared/call-form.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { texts } from "../texts/index.ts";

type Sent = paths["/partner/webhooks/{webhook}/test"]["post"]["responses"]["200"]["content"]["application/json"];

const { webhooks: words } = texts;

/** Opens the form for a test event. */
export function TestEventButton({ webhook }: { readonly webhook: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" onClick={open}>
        {words.sendTest}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.sendTest} size="lg">
        <TestEventForm webhook={webhook} />
      </Modal>
    </>
  );
}

/** Sends an example event, and shows what the receiver answered. */
function TestEventForm({ webhook }: { readonly webhook: string }) {
  const [event, setEvent] = useState<EventKind>("Processor.payment.succeeded");
  const [sent, setSent] = useState<Sent | null>(null);
  return (
    <CallForm
      action={words.sendNow}
      isQuiet
      send={async () => {
        setSent(null);
        const answer = await client.POST("/partner/webhooks/{webhook}/test", { params: { path: { webhook } }, body: { event } });
        setSent(answer.data ?? null);
      }}
    >
      <Select
        label={words.testEvent}
        description={words.testWhat}
        data={[...eventKinds]}
        value={event}
        onChange={(chosen) => setEvent(eventKinds.find((kind) => kind === chosen) ?? event)}
        searchable
        allowDeselect={false}
      />
      {sent !== null && <Outcome event={sent.event} attempt={sent.attempt} isAccepted={sent.success} />}
    </CallForm>
  );
}

interface OutcomeProps {
  /** The event, for a link to its page; left out on that page. */
  readonly event?: string;
  readonly attempt: {
    readonly status: number | null;
    readonly error: keyof typeof words.error | null;
    readonly answer: string | null;
  } | null;
  readonly isAccepted: boolean;
}

/** What became of an event that was just sent. */
export function Outcome({ event, attempt, isAccepted }: OutcomeProps) {
  return (
    <Alert
      color={isAccepted ? "green" : "red"}
      icon={isAccepted ? <CheckCircleIcon size={18} aria-hidden /> : <XCircleIcon size={18} aria-hidden />}
      role="status"
    >
      <Stack gap="xs">
        <Text size="sm">
          {attempt === null
            ? words.nothingRegistered
            : isAccepted
              ? words.accepted(attempt.status)
              : words.refused(attempt.status, attempt.error && words.error[attempt.error])}
        </Text>
        {attempt?.answer ? <Code block>{attempt.answer}</Code> : null}
        {event !== undefined && <PageLink to={`/events/${event}`}>{words.toDelivery}</PageLink>}
      </Stack>
    </Alert>
  );
}
