import { NumberInput, type NumberInputProps } from "@mantine/core";
import { texts } from "../texts/index.ts";

/** An amount in major units, as people type it. Currencies of links and rubles all have two decimals. */
export function AmountInput({ currency, ...props }: NumberInputProps & { readonly currency: string }) {
  return (
    <NumberInput
      decimalScale={2}
      fixedDecimalScale
      thousandSeparator=" "
      allowNegative={false}
      hideControls
      rightSection={<span style={{ fontSize: "var(--mantine-font-size-xs)", paddingRight: 8 }}>{currency}</span>}
      rightSectionWidth={48}
      placeholder={texts.form.amount}
      {...props}
    />
  );
}

/** The minor units of what was typed; undefined while nothing was. */
export function minorUnits(typed: number | string): number | undefined {
  return typed === "" ? undefined : Math.round(Number(typed) * 100);
}
