import { Checkbox, Group, Select, TextInput } from "@mantine/core";
import { AmountInput, WholeInput } from "../shared/amount-input.tsx";
import { choiceOf, priceAfter, type SoldProduct } from "../shared/choose-product.ts";
import { OperationFields, useOperationForm } from "../shared/operation-form.tsx";
import { minorUnits, wholeNumber } from "../shared/typed-number.ts";
import { texts } from "../texts/index.ts";
import { MadeLink } from "./made-link.tsx";

const { links: words } = texts;
const OPERATION = "payment-link-create";
const CURRENCIES = ["USD", "EUR", "GBP", "BRL"];

/** An empty form, or one with a product at its catalogue price. */
const initialFor = (product: SoldProduct | undefined) => ({
  stripe_product_id: product?.id ?? "",
  price: { unit_amount: priceAfter("", undefined, product), currency: null as string | null, interval_count: "", trial_days: "" },
  payment_link: { quantity: "1", allow_promotion_codes: false, success_url: "" },
});

interface ProductLinkFormProps {
  readonly products: readonly SoldProduct[];
  /** The product that the person came from. */
  readonly wanted: SoldProduct | undefined;
}

/** Makes a link for one product with a price of its own: operation 1. */
export function ProductLinkForm({ products, wanted }: ProductLinkFormProps) {
  const state = useOperationForm({ operation: OPERATION, token: "idempotency_key", initial: initialFor(wanted), toBody: bodyOf });
  const { form, answer, again } = state;
  if (answer !== null) return <MadeLink id={answer.processor_payment_link_id} shortUrl={answer.short_url} again={again} />;
  const { stripe_product_id, price } = form.getValues();
  const chosen = products.find(({ id }) => id === stripe_product_id);
  return (
    <OperationFields state={state} action={words.createAction}>
      <Select
        label={texts.common.product}
        searchable
        required
        data={products.map(choiceOf)}
        {...form.getInputProps("stripe_product_id")}
        onChange={(id: string | null) => {
          form.setFieldValue("stripe_product_id", id ?? "");
          const found = products.find((product) => product.id === id);
          form.setFieldValue("price.unit_amount", priceAfter(price.unit_amount, chosen, found));
          // What is not shown is not sent.
          if (found?.type !== "subscription") {
            form.setFieldValue("price.interval_count", "");
            form.setFieldValue("price.trial_days", "");
          }
        }}
      />
      <Group align="flex-start">
        <AmountInput
          label={words.price}
          w={160}
          required
          currency={price.currency ?? chosen?.currency ?? ""}
          {...form.getInputProps("price.unit_amount")}
        />
        <Select
          label={texts.common.currency}
          w={160}
          clearable
          placeholder={chosen?.currency ?? ""}
          data={CURRENCIES}
          {...form.getInputProps("price.currency")}
        />
        <WholeInput label={words.quantity} w={110} {...form.getInputProps("payment_link.quantity")} />
      </Group>
      {chosen?.type === "subscription" && (
        <Group align="flex-start">
          <WholeInput label={words.intervalCount} description={texts.help.interval_count} {...form.getInputProps("price.interval_count")} />
          <WholeInput label={words.trialDays} description={texts.help.trial_days} {...form.getInputProps("price.trial_days")} />
        </Group>
      )}
      <Checkbox label={words.allowCodes} {...form.getInputProps("payment_link.allow_promotion_codes", { type: "checkbox" })} />
      <TextInput
        label={words.successUrl}
        description={texts.help.success_url}
        type="url"
        {...form.getInputProps("payment_link.success_url")}
      />
    </OperationFields>
  );
}

function bodyOf({ stripe_product_id, price, payment_link }: ReturnType<typeof initialFor>) {
  return {
    auth_mode: "api_key",
    stripe_product_id,
    price: {
      unit_amount: minorUnits(price.unit_amount),
      currency: price.currency ?? undefined,
      interval_count: wholeNumber(price.interval_count),
      trial_days: wholeNumber(price.trial_days),
    },
    payment_link: {
      quantity: wholeNumber(payment_link.quantity),
      allow_promotion_codes: payment_link.allow_promotion_codes || undefined,
      success_url: payment_link.success_url || undefined,
    },
  };
}
