import { ActionIcon, Anchor, Button, Group, NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Plus, Trash2 } from "lucide-react";
import { AmountInput, minorUnits } from "../shared/amount-input.tsx";
import { Copied } from "../shared/copy.tsx";
import { Empty } from "../shared/empty.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { moneyText } from "../shared/money.tsx";
import { OperationFields, useOperationForm } from "../shared/operation-form.tsx";
import { Card, Page } from "../shared/page.tsx";
import { isSold, type Product, useProducts } from "../shared/products.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { rublePayments: words, links } = texts;
const OPERATION = "create-partner-bank-cart-payment";

interface Line {
  product_id: string;
  unit_amount: number | string;
  quantity: number | string;
}

const emptyLine = (): Line => ({ product_id: "", unit_amount: "", quantity: 1 });

/** Makes a ruble payment with a fiscal receipt: operation 9. */
export function NewRublePaymentPage() {
  const { environment } = useEnvironment();
  const { products, error, isPending } = useProducts();
  const sold = products.filter((product) => isSold(product, "ruble", environment));
  return (
    <Page back={{ to: "/ruble-payments", label: words.title }} title={words.create} about={words.newAbout(texts.environment[environment])}>
      <Card>
        {isPending && <RowsSkeleton />}
        {error !== null && <Failure thrown={error} />}
        {!isPending && error === null && sold.length === 0 && <Empty title={words.noProducts} next={links.noProductsNext} />}
        {sold.length > 0 && <PaymentForm key={environment} products={sold} environment={environment} />}
      </Card>
    </Page>
  );
}

interface PaymentFormProps {
  readonly products: readonly (Product & { id: string })[];
  readonly environment: "live" | "test";
}

function PaymentForm({ products, environment }: PaymentFormProps) {
  const state = useOperationForm({
    operation: OPERATION,
    token: "client_token",
    initial: { items: [emptyLine()], customer_email: "", customer_phone: "", external_order_id: "", success_url: "", fail_url: "" },
    toBody: ({ items, ...rest }) => ({
      items: items.map(({ product_id, unit_amount, quantity }) => ({
        product_id: product_id === "" ? undefined : Number(product_id),
        ...(unit_amount === "" ? {} : { unit_amount: minorUnits(unit_amount) }),
        quantity: Number(quantity),
      })),
      ...rest,
      environment,
    }),
  });
  const { form, answer, again } = state;
  if (answer !== null)
    return (
      <Stack role="status">
        <Text fw={600}>{words.made(moneyText(answer.amount_rub, "RUB"))}</Text>
        <Facts
          facts={[
            [words.sbp, answer.sbp_url === null ? null : <Copied key="sbp" value={answer.sbp_url} what={words.sbp} />],
            [words.cardPage, <Copied key="card" value={answer.payment_url} what={words.cardPage} />],
          ]}
        />
        <Text size="sm" c="dimmed">
          {words.keepAddress}
        </Text>
        <Anchor size="sm" renderRoot={(props) => <Link to="/ruble-payments/$order" params={{ order: answer.order_id }} {...props} />}>
          {words.toPayment}
        </Anchor>
        <Group>
          <Button variant="default" onClick={again}>
            {words.another}
          </Button>
        </Group>
      </Stack>
    );
  const { items } = form.getValues();
  const priceOfProduct = (wanted: string) => products.find(({ id }) => id === wanted)?.amount;
  const priceOf = ({ product_id, unit_amount }: Line) => minorUnits(unit_amount) ?? Math.round((priceOfProduct(product_id) ?? 0) * 100);
  const total = items.reduce((sum, line) => sum + priceOf(line) * Number(line.quantity), 0) / 100;
  return (
    <OperationFields state={state} action={words.createAction}>
      <Stack gap="sm">
        {items.map((line, index) => (
          // A line has no identity but its place.
          <Group key={form.key(`items.${index}`)} align="flex-start" gap="sm" role="group" aria-label={links.line(index + 1)}>
            <Select
              label={links.product}
              searchable
              required
              flex="1 1 240px"
              data={products.map(({ id, name, amount }) => ({ value: id, label: `${name} · ${moneyText(amount, "RUB")}` }))}
              {...form.getInputProps(`items.${index}.product_id`)}
              onChange={(id: string | null) => {
                const isOwnPrice = line.unit_amount !== "" && Number(line.unit_amount) !== priceOfProduct(line.product_id);
                form.setFieldValue(`items.${index}.product_id`, id ?? "");
                if (!isOwnPrice) form.setFieldValue(`items.${index}.unit_amount`, priceOfProduct(id ?? "") ?? "");
              }}
            />
            <AmountInput label={words.price} w={150} currency="RUB" {...form.getInputProps(`items.${index}.unit_amount`)} />
            <NumberInput label={links.quantity} w={100} required allowDecimal={false} {...form.getInputProps(`items.${index}.quantity`)} />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={25}
              disabled={items.length === 1}
              onClick={() => form.removeListItem("items", index)}
              aria-label={links.removeLine(index + 1)}
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
            {links.addLine}
          </Button>
          <Text size="sm" role="status">
            {links.total} <b className="amount">{moneyText(total, "RUB")}</b>
          </Text>
        </Group>
      </Stack>
      <Group grow align="flex-start">
        <TextInput label={words.email} type="email" description={words.receipt} {...form.getInputProps("customer_email")} />
        <TextInput label={words.phone} type="tel" description={words.phoneForm} {...form.getInputProps("customer_phone")} />
      </Group>
      <TextInput label={words.order} description={words.orderWhat} {...form.getInputProps("external_order_id")} />
      <Group grow align="flex-start">
        <TextInput label={links.successUrl} type="url" {...form.getInputProps("success_url")} />
        <TextInput label={words.failUrl} type="url" {...form.getInputProps("fail_url")} />
      </Group>
    </OperationFields>
  );
}
