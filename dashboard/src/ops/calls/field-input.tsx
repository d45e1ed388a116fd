import { Checkbox, FileInput, SegmentedControl, Select, Stack, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { type ComponentType, useId, useState } from "react";
import { AmountInput, WholeInput } from "../../shared/amount-input.tsx";
import { decimalNumber, minorUnits, shownAmount, twoDecimals, wholeNumber } from "../../shared/typed-number.ts";
import type { FormField } from "./fields.ts";
import { labelOf, wordsOfValue } from "./names.ts";

interface FieldInputProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly fault: string | undefined;
  /** Of an amount. */
  readonly currency: string;
  readonly change: (value: unknown) => void;
}

/** At most this many choices stand side by side. */
const SIDE_BY_SIDE = 3;
const LONG_TEXT = 300;
type Typed = { readonly currentTarget: { readonly value: string } };
const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

type TypedField = ComponentType<{ readonly currency: string; readonly value: string; readonly onChange: (typed: string) => void }>;

/** The kinds of numbers: their field, what a typed text means, and how a value is shown. */
const NUMBERS = {
  amount: { of: AmountInput as TypedField, read: minorUnits, show: (minor: number) => shownAmount(twoDecimals(minor)) },
  number: { of: WholeInput as TypedField, read: wholeNumber, show: String },
  decimal: { of: WholeInput as TypedField, read: decimalNumber, show: String },
} as const;

interface NumberInputProps {
  readonly kind: keyof typeof NUMBERS;
  readonly currency: string;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
}

/** A number that keeps what is typed as long as it means the value of the field. */
function NumberInput({ kind, value, change, ...props }: NumberInputProps) {
  const [typed, setTyped] = useState("");
  const { of: Field, read, show } = NUMBERS[kind];
  const shown = typeof value === "number" ? show(value) : textOf(value);
  return (
    <Field
      {...props}
      value={read(typed) === value ? typed : shown}
      onChange={(text) => {
        setTyped(text);
        change(read(text));
      }}
    />
  );
}

/** The input of a field. An empty one is undefined, and not sent. */
export function FieldInput({ field, value, fault, currency, change }: FieldInputProps) {
  const { name, kind, isRequired, help, choices, maxLength } = field;
  const id = useId();
  const common = { label: labelOf(name), description: help, error: fault, required: isRequired };
  const changeText = (text: string) => change(text === "" ? undefined : text);
  switch (kind) {
    case "flag": {
      // A query has its flags as texts.
      const isText = choices.length > 0 || typeof value === "string";
      return (
        <Checkbox
          {...common}
          required={false}
          checked={value === true || value === "true"}
          onChange={(event) => change(isText ? String(event.currentTarget.checked) : event.currentTarget.checked)}
        />
      );
    }
    case "choice":
      if (isRequired && choices.length <= SIDE_BY_SIDE)
        return (
          <Stack gap={4}>
            <Text size="sm" fw={500} id={id}>
              {labelOf(name)}
            </Text>
            <SegmentedControl
              aria-labelledby={id}
              value={textOf(value)}
              onChange={change}
              data={choices.map((one) => ({ value: one, label: wordsOfValue(one) }))}
            />
            {fault !== undefined && (
              <Text size="xs" c="red">
                {fault}
              </Text>
            )}
          </Stack>
        );
      return (
        <Select
          {...common}
          value={textOf(value) || null}
          onChange={(chosen) => change(chosen ?? undefined)}
          clearable={!isRequired}
          searchable={choices.length > 8}
          data={choices.map((one) => ({ value: one, label: wordsOfValue(one) }))}
        />
      );
    case "choices":
      return (
        <Checkbox.Group {...common} value={listOf(value)} onChange={change}>
          <Stack gap={6} mt="xs">
            {choices.map((one) => (
              <Checkbox key={one} value={one} label={wordsOfValue(one)} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case "list":
      return <TagsInput {...common} value={listOf(value)} onChange={(list) => change(list.length === 0 ? undefined : list)} />;
    case "amount":
    case "number":
    case "decimal":
      return <NumberInput {...common} kind={kind} currency={kind === "amount" ? currency : ""} value={value} change={change} />;
    case "moment":
      return (
        <TextInput
          {...common}
          placeholder="2026-11-29, 2026-11-29T08:00:00Z"
          value={textOf(value)}
          onChange={(event) => changeText(event.currentTarget.value.trim())}
        />
      );
    case "date":
      return <TextInput {...common} type="date" value={textOf(value)} onChange={(event) => changeText(event.currentTarget.value)} />;
    case "file":
      return (
        <FileInput {...common} value={value instanceof File ? value : null} onChange={(file) => change(file ?? undefined)} clearable />
      );
    case "text": {
      const isLong = maxLength !== undefined && maxLength > LONG_TEXT;
      const props = { ...common, maxLength, value: textOf(value), onChange: (event: Typed) => changeText(event.currentTarget.value) };
      return isLong ? <Textarea {...props} autosize minRows={2} /> : <TextInput {...props} />;
    }
  }
}
