import { Button, Group, Stack } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { CallFailure, messageOf, refusalText } from "../api/failure.ts";
import { type AnswerOf, callOperation, type OperationName, operationPaths } from "../api/operations.ts";
import { refreshAll } from "../api/queries.ts";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { faultsOf } from "./check.ts";
import { Curl } from "./curl.tsx";
import { Refusal } from "./refusal.tsx";
import { tokenFor } from "./tokens.ts";

type Body = Readonly<Record<string, unknown>>;

interface OperationFormOptions<Name extends OperationName, Values> {
  readonly operation: Name;
  readonly initial: Values;
  /** The operation's body, without its token. Fields that are left out are undefined. */
  readonly toBody: (values: Values) => Body;
  /** The field of the operation that carries the token. */
  readonly token: "client_token" | "idempotency_key";
  readonly onDone?: (answer: AnswerOf<Name>) => void;
}

/** A form that carries out an operation. */
export interface OperationForm<Name extends OperationName, Values> {
  readonly form: UseFormReturnType<Values>;
  readonly operation: Name;
  readonly token: "client_token" | "idempotency_key";
  readonly body: Body;
  readonly answer: AnswerOf<Name> | null;
  readonly failure: string | null;
  readonly isBusy: boolean;
  readonly submit: () => void;
  /** Begins the next one with an empty form. */
  readonly again: () => void;
}

/**
 * The state of a form that carries out an operation. It checks what the API description says, shows the Worker's refusal at
 * its field, and keeps what was typed. A repeat of the same content has the same token, so nothing is made twice.
 */
export function useOperationForm<Name extends OperationName, Values extends Record<string, unknown>>(
  options: OperationFormOptions<Name, Values>,
): OperationForm<Name, Values> {
  const { operation, initial, toBody, token, onDone } = options;
  const { person } = useSession();
  const [answer, setAnswer] = useState<AnswerOf<Name> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useForm<Values>({
    initialValues: initial,
    // The body with any token: whether it is there is not for the person to know.
    validate: (values) => faultsOf(operation, { ...bodyAsSent(toBody(values)), [token]: "checked" }),
  });
  const send = async (values: Values) => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    const body = bodyAsSent(toBody(values));
    const attempt = async () => {
      const pending = await tokenFor(`${person.id} ${operation}`, JSON.stringify(body));
      try {
        const done = await callOperation(operation, { ...body, [token]: pending.token });
        pending.forget();
        return done;
      } catch (thrown) {
        if (isSettled(thrown)) pending.forget();
        throw thrown;
      }
    };
    try {
      // An earlier attempt failed for good, and made nothing: the person asks for a new one.
      const done = await attempt().catch((thrown: unknown) => (hasFailedForGood(thrown) ? attempt() : Promise.reject(thrown)));
      setAnswer(done);
      onDone?.(done);
      await refreshAll();
    } catch (thrown) {
      const { path, words } = atField(thrown);
      if (path !== null && form.getInputNode(path) !== null) form.setFieldError(path, words);
      else setFailure(words);
    }
    setBusy(false);
  };
  /** A fault of a field without an input must not stop the form without a word. */
  const showFaults = (faults: Record<string, unknown>) => {
    const [hidden] = Object.entries(faults).filter(([path]) => form.getInputNode(path) === null);
    setFailure(hidden === undefined ? null : `${hidden[0]}: ${String(hidden[1])}`);
  };
  return {
    form,
    operation,
    token,
    body: bodyAsSent(toBody(form.getValues())),
    answer,
    failure,
    isBusy,
    submit: form.onSubmit((values) => void send(values), showFaults),
    again: () => {
      form.reset();
      setAnswer(null);
      setFailure(null);
    },
  };
}

interface FieldsProps<Name extends OperationName, Values> {
  readonly state: OperationForm<Name, Values>;
  readonly action: string;
  readonly children: ReactNode;
}

/** The form itself: its fields, its refusal, its button, and the same call as curl. */
export function OperationFields<Name extends OperationName, Values>({ state, action, children }: FieldsProps<Name, Values>) {
  const { failure, isBusy, submit, operation, body, token } = state;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {children}
        <Refusal text={failure} />
        <Group>
          <Button type="submit" loading={isBusy}>
            {action}
          </Button>
        </Group>
        <Curl
          path={operationPaths[operation]}
          body={{ ...body, [token]: texts.curl.token }}
          keyInBody={operation === "payment-link-create"}
        />
      </Stack>
    </form>
  );
}

/** Whether the token's earlier attempt failed, made nothing, and is never resumed. */
const hasFailedForGood = (thrown: unknown) => thrown instanceof CallFailure && thrown.code === "PREVIOUS_ATTEMPT_FAILED";

/**
 * Whether a refusal settles its token, so that the next try is a new request: nothing was done, because the request was wrong or
 * its person may not make it. After any other failure a repeat must have the same token: it may find what was made.
 */
function isSettled(thrown: unknown): boolean {
  return hasFailedForGood(thrown) || (thrown instanceof CallFailure && [400, 403, 404].includes(thrown.status));
}

/** The field that a refusal names, as the form knows it, and its message without the field's name. */
function atField(thrown: unknown): { readonly path: string | null; readonly words: string } {
  if (!(thrown instanceof CallFailure) || thrown.field === null) return { path: null, words: messageOf(thrown) };
  return { path: thrown.field.replaceAll("[", ".").replaceAll("]", ""), words: refusalText(thrown, true) };
}

/** The body as it is sent: without what is undefined, at any depth, and without empty texts of its own. */
function bodyAsSent(body: Body): Record<string, unknown> {
  const kept = Object.entries(body).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutUndefined(value)]));
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutUndefined(inner)]));
}
