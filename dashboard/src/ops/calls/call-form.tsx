import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { type FormEvent, useState } from "react";
import { sentenceOf } from "../../api/failure.ts";
import { refreshAll } from "../../api/queries.ts";
import { useIsHere } from "../../shared/is-here.ts";
import { texts } from "../../texts/index.ts";
import type { CallDefinition } from "../api/call-definition.ts";
import type { Answer } from "../api/client.ts";
import { perform } from "../api/perform.ts";
import type { Given } from "../api/request-of.ts";
import { FieldInput } from "./field-input.tsx";
import { choiceOfShape, defaultsOf, fieldsOf } from "./fields.ts";
import { labelOf, wordsOfValue } from "./names.ts";

interface CallFormProps {
  readonly call: CallDefinition;
  /** What is known already, and not asked for. */
  readonly given: Given;
  /** What the form begins with, besides the defaults. */
  readonly initial?: Given;
  readonly action: string;
  /** Whether the answer stays open in front of the page: then the page is read again once it is closed, since its row may go. */
  readonly onDone: (answer: Answer) => boolean;
  /** Says whether the call goes on: what it answers must not be lost. */
  readonly onBusy?: (isBusy: boolean) => void;
}

/** The field that a refusal names: `name: must not be empty`. */
function faultIn(message: string, names: readonly string[]): { readonly name: string; readonly says: string } | null {
  const [, name = "", says = ""] = /^(\w+)(?:\[[^\]]*\])?: (.+)$/s.exec(message) ?? [];
  return names.includes(name) ? { name, says } : null;
}

/** A form for one call, made of its definition. A refusal stands at its field, and nothing that was typed is lost. */
export function CallForm({ call, given, initial: known = {}, action, onDone, onBusy }: CallFormProps) {
  // What was there when the form was opened: a colleague's change since then is not taken back.
  const [initial] = useState(known);
  const [values, setValues] = useState<Given>(() => ({ ...defaultsOf(call, given), ...initial }));
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [sofar, setSofar] = useState<Answer | null>(null);
  const isHere = useIsHere();
  const fields = fieldsOf(call, given, values, initial);
  const choice = choiceOfShape(call);
  const fault =
    failure === null
      ? null
      : faultIn(
          failure,
          fields.map(({ name }) => name),
        );
  const change = (name: string, value: unknown) => setValues((before) => ({ ...before, [name]: value }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    onBusy?.(true);
    setFailure(null);
    let staysOpen = false;
    try {
      const asked = new Set(fields.map(({ name }) => name));
      const sent = Object.fromEntries(Object.entries(values).filter(([name]) => asked.has(name) || name === choice?.name));
      const begun = Object.fromEntries(Object.entries(initial).filter(([name]) => asked.has(name)));
      const { file, ...rest } = call.method === "PATCH" ? changesOf(sent, begun) : sent;
      const onPart = (answer: Answer, next: Given) => {
        setSofar(answer);
        // If a later part fails, the next attempt goes on from here.
        setValues((before) => ({ ...before, ...Object.fromEntries(Object.entries(next).filter(([name]) => asked.has(name))) }));
        return isHere.current;
      };
      const answer = await perform(call, { ...rest, ...given }, file instanceof File ? file : undefined, onPart);
      setSofar(null);
      staysOpen = isHere.current && onDone(answer);
    } catch (thrown) {
      setFailure(sentenceOf(thrown));
    }
    onBusy?.(false);
    if (!staysOpen) await refreshAll();
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {choice !== null && !(choice.name in given) && (
          <SegmentedControl
            aria-label={choice.name}
            value={String(values[choice.name])}
            onChange={(value) => change(choice.name, value)}
            data={choice.values.map((value) => ({ value, label: wordsOfValue(value) }))}
          />
        )}
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name]}
            fault={fault?.name === field.name ? fault.says : undefined}
            currency={currencyOf(values, given)}
            change={(value) => change(field.name, value)}
          />
        ))}
        {call.irreversible !== null && (
          <Text size="sm" fw={500}>
            {call.irreversible}
          </Text>
        )}
        {failure !== null && fault === null && (
          <Alert color="red" icon={<AlertIcon size={18} aria-hidden />} title={texts.failure.title} role="alert">
            {failure}
          </Alert>
        )}
        {sofar !== null && (
          <Text size="sm" role="status">
            {(call.continues?.sums ?? []).map((name) => `${labelOf(name)}: ${Number(sofar[name]).toLocaleString()}`).join(", ")} …
          </Text>
        )}
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={isBusy}
            color={call.irreversible !== null ? "red.9" : undefined}
            data-autofocus={fields.length === 0 || undefined}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What differs from what the form began with: a colleague may have changed the rest since. An emptied field is null. */
function changesOf(sent: Given, initial: Given): Given {
  const names = new Set([...Object.keys(sent), ...Object.keys(initial)]);
  const changed = [...names].filter((name) => JSON.stringify(sent[name] ?? null) !== JSON.stringify(initial[name] ?? null));
  return Object.fromEntries(changed.map((name) => [name, sent[name] ?? null]));
}

/** A ruble product has one currency, whatever was chosen for another kind. */
function currencyOf(values: Given, given: Given): string {
  if ((values.kind ?? given.kind) === "ruble") return "RUB";
  const currency = values.currency ?? given.currency;
  return typeof currency === "string" ? currency : "";
}
