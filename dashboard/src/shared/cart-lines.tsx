import { ActionIcon, Button, Group, Select, Stack, Text } from "@mantine/core";
import { PlusIcon, TrashIcon } from "@primer/octicons-react";
import { texts } from "../texts/index.ts";
import { AmountInput, WholeInput } from "./amount-input.tsx";
import { choiceOf, offeredBeside, priceAfter, type SoldProduct } from "./choose-product.ts";
import { moneyText } from "./money-text.ts";

/** A line of a cart as it was typed. */
interface CartLine {
  /** The chosen product's id; empty while none is chosen. */
  readonly product: string;
  /** In major units. */
  readonly price: number | string;
}

interface CartLinesProps {
  readonly lines: readonly CartLine[];
  readonly products: readonly SoldProduct[];
  /** The name of the operation's field with the product's id. */
  readonly idField: "stripe_product_id" | "product_id";
  readonly isPriceRequired: boolean;
  /** In major units. */
  readonly total: number;
  /** The props of the input at a path such as `items.0.quantity`. */
  readonly inputAt: (path: string) => object;
  readonly set: (path: string, value: number | string) => void;
  readonly add: () => void;
  readonly remove: (index: number) => void;
}

const { links: words } = texts;

/** The lines of a cart: products with price and quantity, and the total. */
export function CartLines({ lines, products, idField, isPriceRequired, total, inputAt, set, add, remove }: CartLinesProps) {
  const productOf = (id: string) => products.find((product) => product.id === id);
  // What a line is offered goes with what the other lines have.
  const otherThan = (index: number) => lines.flatMap(({ product }, at) => (at === index ? [] : (productOf(product) ?? [])))[0];
  const currency = lines.map(({ product }) => productOf(product)?.currency).find((one) => one !== undefined);
  return (
    <Stack gap="sm">
      {lines.map(({ product, price }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
        <Group key={index} align="flex-start" gap="sm" role="group" aria-label={words.line(index + 1)}>
          <Select
            label={texts.common.product}
            searchable
            required
            flex="1 1 240px"
            data={offeredBeside(products, otherThan(index)).map(choiceOf)}
            {...inputAt(`items.${index}.${idField}`)}
            onChange={(id) => {
              set(`items.${index}.${idField}`, id ?? "");
              set(`items.${index}.unit_amount`, priceAfter(price, productOf(product), productOf(id ?? "")));
            }}
          />
          <AmountInput
            label={words.price}
            w={150}
            required={isPriceRequired}
            currency={productOf(product)?.currency ?? ""}
            {...inputAt(`items.${index}.unit_amount`)}
          />
          <WholeInput label={words.quantity} w={100} required {...inputAt(`items.${index}.quantity`)} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            mt={25}
            disabled={lines.length === 1}
            onClick={() => remove(index)}
            aria-label={words.removeLine(index + 1)}
          >
            <TrashIcon size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group justify="space-between">
        <Button size="xs" variant="subtle" leftSection={<PlusIcon size={14} aria-hidden />} onClick={add}>
          {words.addLine}
        </Button>
        {currency !== undefined && (
          <Text size="sm" role="status">
            {texts.common.total} <b className="amount">{moneyText(total, currency)}</b>
          </Text>
        )}
      </Group>
    </Stack>
  );
}
