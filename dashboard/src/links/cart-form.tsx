import { ActionIcon, Button, Checkbox, Group, NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { Plus, Trash2 } from "lucide-react";
import { AmountInput, minorUnits } from "../shared/amount-input.tsx";
import { helpOf } from "../shared/check.ts";
import { moneyText } from "../shared/money.tsx";
import { OperationFields, useOperationForm } from "../shared/operation-form.tsx";
import type { Product } from "../shared/products.ts";
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
export function CartForm({ products }: { readonly products: readonly (Product & { id: string })[] }) {
  const state = useOperationForm({
    operation: OPERATION,
    token: "client_token",
    initial: { items: [emptyLine()], allow_promotion_codes: false, success_url: "" },
    toBody: ({ items, allow_promotion_codes, success_url }) => ({
      items: items.map(({ stripe_product_id, unit_amount, quantity }) => ({
        stripe_product_id,
        unit_amount: minorUnits(unit_amount),
        quantity: Number(quantity),
      })),
      ...(allow_promotion_codes ? { allow_promotion_codes } : {}),
      success_url,
    }),
  });
  const { form, answer, again } = state;
  if (answer !== null) return <MadeLink id={answer.payment_link_id} shortUrl={answer.short_url} again={again} />;
  const { items } = form.getValues();
  const productOf = (id: string) => products.find((product) => product.id === id);
  const currency = items.map(({ stripe_product_id }) => productOf(stripe_product_id)?.currency).find((one) => one !== undefined) ?? "";
  const total = items.reduce((sum, { unit_amount, quantity }) => sum + (minorUnits(unit_amount) ?? 0) * Number(quantity), 0) / 100;
  return (
    <OperationFields state={state} action={words.createAction}>
      <Stack gap="sm">
        {items.map((line, index) => (
          // A line has no identity but its place.
          <Group key={form.key(`items.${index}`)} align="flex-start" gap="sm" role="group" aria-label={words.line(index + 1)}>
            <Select
              label={words.product}
              searchable
              flex="1 1 240px"
              required
              data={products.map(({ id, name, type, amount, currency: of }) => ({
                value: id,
                label: `${name} · ${moneyText(amount, of)}${type === "subscription" ? words.perPeriod : ""}`,
              }))}
              {...form.getInputProps(`items.${index}.stripe_product_id`)}
              onChange={(id: string | null) => {
                form.setFieldValue(`items.${index}.stripe_product_id`, id ?? "");
                const isOwnPrice = line.unit_amount !== "" && Number(line.unit_amount) !== productOf(line.stripe_product_id)?.amount;
                if (!isOwnPrice) form.setFieldValue(`items.${index}.unit_amount`, productOf(id ?? "")?.amount ?? "");
              }}
            />
            <AmountInput
              label={words.price}
              w={150}
              required
              currency={productOf(line.stripe_product_id)?.currency ?? ""}
              {...form.getInputProps(`items.${index}.unit_amount`)}
            />
            <NumberInput label={words.quantity} w={100} required allowDecimal={false} {...form.getInputProps(`items.${index}.quantity`)} />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={25}
              disabled={items.length === 1}
              onClick={() => form.removeListItem("items", index)}
              aria-label={words.removeLine(index + 1)}
            >
              <Trash2 size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group justify="space-between">
          <Button
            size="xs"
            variant="subtle"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => form.insertListItem("items", emptyLine())}
          >
            {words.addLine}
          </Button>
          {currency !== "" && (
            <Text size="sm" role="status">
              {words.total} <b className="amount">{moneyText(total, currency)}</b>
            </Text>
          )}
        </Group>
      </Stack>
      <Checkbox label={words.allowCodes} {...form.getInputProps("allow_promotion_codes", { type: "checkbox" })} />
      <TextInput
        label={words.successUrl}
        description={helpOf(OPERATION, "success_url")}
        type="url"
        {...form.getInputProps("success_url")}
      />
    </OperationFields>
  );
}
