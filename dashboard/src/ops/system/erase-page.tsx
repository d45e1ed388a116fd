import { Alert, Checkbox, SegmentedControl, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { CallForm } from "../../shared/call-form.tsx";
import { Copied } from "../../shared/copy.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { texts } from "../../texts/index.ts";
import { client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { missingIn } from "../shared/out-of-reach.tsx";
import { words } from "../texts.ts";

type Erased = paths["/ops/erase"]["post"]["responses"][200]["content"]["application/json"];
const { erase: own } = words;
const LABELS = { payment_intent_id: own.paymentLabel, client_reference_id: texts.common.reference, email: own.emailLabel } as const;
const SUBJECTS = { payment_intent_id: own.payment, client_reference_id: texts.common.order, email: own.email } as const;
type Subject = keyof typeof SUBJECTS;
const isSubject = (text: string): text is Subject => text in SUBJECTS;

/** Erases what names a person, and says what others still know. */
export function ErasePage() {
  const { payment = "" } = useSearchTexts();
  const [subject, setSubject] = useState<Subject>(payment === "" ? "email" : "payment_intent_id");
  const [value, setValue] = useState(payment);
  const [partner, setPartner] = useState("");
  const [isSure, setSure] = useState(false);
  // A person is sure of what stands there, and of nothing else.
  const change =
    <Value,>(set: (chosen: Value) => void) =>
    (chosen: Value) => {
      setSure(false);
      set(chosen);
    };
  const [erased, setErased] = useState<Erased | null>(null);
  return (
    <Page title={own.title} about={own.about}>
      <Card>
        <CallForm
          action={own.action}
          isQuiet
          isReady={value.trim() !== "" && isSure}
          send={async () => {
            setErased(null);
            const ofPartner = subject === "client_reference_id" && partner.trim() !== "" ? { partner: partner.trim() } : {};
            const { data } = await client.POST("/ops/erase", { body: { [subject]: value.trim(), ...ofPartner } });
            setErased(data ?? null);
            setSure(false);
          }}
        >
          <SegmentedControl
            aria-label={own.by}
            value={subject}
            onChange={(chosen) => isSubject(chosen) && change(setSubject)(chosen)}
            data={Object.entries(SUBJECTS).map(([name, label]) => ({ value: name, label }))}
          />
          <TextInput label={LABELS[subject]} value={value} required onChange={(event) => change(setValue)(event.currentTarget.value)} />
          {subject === "client_reference_id" && (
            <TextInput
              label={texts.list.partner}
              description={own.partnerWhat}
              value={partner}
              onChange={(event) => change(setPartner)(event.currentTarget.value)}
            />
          )}
          <Checkbox label={own.confirm} checked={isSure} onChange={(event) => setSure(event.currentTarget.checked)} />
        </CallForm>
      </Card>
      {erased !== null && (
        <Alert
          color={missingIn(erased) === null ? "green" : "red"}
          role="status"
          title={missingIn(erased) === null ? own.done(erased.payments, erased.subscriptions) : own.incomplete}
        >
          <Stack gap="xs">
            <Copied value={erased.erasure} what={own.id} />
            <Text size="sm">{own.more(erased.orders, erased.notes)}</Text>
            <Title order={2} size="h5">
              {own.remaining}
            </Title>
            {erased.remaining.map(({ where, what, how }) => (
              <Text key={where} size="sm">
                <b>{where}.</b> {what}. {how}
              </Text>
            ))}
          </Stack>
        </Alert>
      )}
    </Page>
  );
}
