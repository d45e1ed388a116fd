import { Checkbox, TextInput } from "@mantine/core";
import { CartLines } from "../shared/cart-lines.tsx";
import type { SoldProduct } from "../shared/choose-product.ts";
import { OperationFields, useOperationForm } from "../shared/operation-form.tsx";
import { cartTotal, countedQuantity, countedUnits, minorUnits, wholeNumber } from "../shared/typed-number.ts";
import { texts } from "../texts/index.ts";
import { MadeLink } from "./made-link.tsx";

const { links: words } = texts;
const OPERATION = "create-partner-processor-cart-payment-link";

interface Line {
  stripe_product_id: string;
  unit_amount: number | string;
  quantity: number | string;
}

const emptyLine = (): Line => ({ stripe_product_id: "", unit_amount: "", quantity: 1 });

/** Makes one link for several products: operation 8. */
export function CartForm({ products }: { readonly products: readonly SoldProduct[] }) {
  const state = useOperationForm({
    operation: OPERATION,
    token: "client_token",
    initial: { items: [emptyLine()], allow_promotion_codes: false, success_url: "" },
    toBody: ({ items, allow_promotion_codes, success_url }) => ({
      items: items.map(({ stripe_product_id, unit_amount, quantity }) => ({
        stripe_product_id,
        unit_amount: minorUnits(unit_amount),
        quantity: wholeNumber(quantity),
      })),
      ...(allow_promotion_codes ? { allow_promotion_codes } : {}),
      success_url,
    }),
  });
  const { form, answer, again } = state;
  if (answer !== null) return <MadeLink id={answer.payment_link_id} shortUrl={answer.short_url} again={again} />;
  const { items } = form.getValues();
  return (
    <OperationFields state={state} action={words.createAction}>
      <CartLines
        lines={items.map(({ stripe_product_id, unit_amount }) => ({ product: stripe_product_id, price: unit_amount }))}
        products={products}
        idField="stripe_product_id"
        isPriceRequired
        total={cartTotal(
          items.map(({ unit_amount, quantity }) => ({ minor: countedUnits(unit_amount), quantity: countedQuantity(quantity) })),
        )}
        inputAt={form.getInputProps}
        set={form.setFieldValue}
        add={() => form.insertListItem("items", emptyLine())}
        remove={(index) => form.removeListItem("items", index)}
      />
      <Checkbox label={words.allowCodes} {...form.getInputProps("allow_promotion_codes", { type: "checkbox" })} />
      <TextInput label={words.successUrl} description={texts.help.success_url} type="url" {...form.getInputProps("success_url")} />
    </OperationFields>
  );
}
