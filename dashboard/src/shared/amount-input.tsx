import { TextInput, type TextInputProps } from "@mantine/core";
import { texts } from "../texts/index.ts";
import { shownAmount } from "./typed-number.ts";

interface TypedProps extends Omit<TextInputProps, "value" | "onChange"> {
  readonly value?: number | string;
  /** Gets what was typed, as it was typed. */
  readonly onChange?: (typed: string) => void;
}

/** An amount in major units, as people type it. What was understood is shown in one form when the field is left. */
export function AmountInput({ currency, value = "", onChange, onBlur, ...props }: TypedProps & { readonly currency: string }) {
  return (
    <TextInput
      inputMode="decimal"
      rightSection={<span style={{ fontSize: "var(--mantine-font-size-xs)", paddingRight: 8 }}>{currency}</span>}
      rightSectionWidth={48}
      placeholder={texts.form.amount}
      {...props}
      value={String(value)}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      onBlur={(event) => {
        if (shownAmount(value) !== String(value)) onChange?.(shownAmount(value));
        onBlur?.(event);
      }}
    />
  );
}

/** A whole number, as people type it: nothing of it is dropped in silence. */
export function WholeInput({ value = "", onChange, ...props }: TypedProps) {
  return <TextInput inputMode="numeric" {...props} value={String(value)} onChange={(event) => onChange?.(event.currentTarget.value)} />;
}
