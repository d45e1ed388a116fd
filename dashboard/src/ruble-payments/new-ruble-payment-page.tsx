import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { CartLines } from "../shared/cart-lines.tsx";
import type { SoldProduct } from "../shared/choose-product.ts";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { moneyText } from "../shared/money-text.ts";
import { OperationFields, useOperationForm } from "../shared/operation-form.tsx";
import { Card, Note, Page } from "../shared/page.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { isSold, useProducts } from "../shared/products.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { cartTotal, countedQuantity, countedUnits, minorOfTwoDecimals, minorUnits, wholeNumber } from "../shared/typed-number.ts";
import { CreateButton } from "../shell/creations.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { PayAddresses } from "./pay-addresses.tsx";

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
        {!isPending && error === null && sold.length === 0 && (
          <Empty title={words.noProducts} next={links.noProductsNext} action={<CreateButton to="/products/new" />} />
        )}
        {sold.length > 0 && <PaymentForm key={environment} products={sold} environment={environment} />}
      </Card>
    </Page>
  );
}

interface PaymentFormProps {
  readonly products: readonly SoldProduct[];
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
        quantity: wholeNumber(quantity),
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
        <PayAddresses payment_url={answer.payment_url} sbp_url={answer.sbp_url} />
        <Note>{words.keepAddress}</Note>
        <PageLink to={`/ruble-payments/${answer.order_id}`}>{words.toPayment}</PageLink>
        <Group>
          <Button variant="default" onClick={again}>
            {texts.common.another}
          </Button>
        </Group>
      </Stack>
    );
  const { items } = form.getValues();
  const catalogueAmount = (wanted: string) => products.find(({ id }) => id === wanted)?.amount ?? 0;
  const amountOf = ({ product_id, unit_amount }: Line) =>
    unit_amount === "" ? minorOfTwoDecimals(catalogueAmount(product_id)) : countedUnits(unit_amount);
  return (
    <OperationFields state={state} action={words.createAction}>
      <CartLines
        lines={items.map(({ product_id, unit_amount }) => ({ product: product_id, price: unit_amount }))}
        products={products}
        idField="product_id"
        isPriceRequired={false}
        total={cartTotal(items.map((line) => ({ minor: amountOf(line), quantity: countedQuantity(line.quantity) })))}
        inputAt={form.getInputProps}
        set={form.setFieldValue}
        add={() => form.insertListItem("items", emptyLine())}
        remove={(index) => form.removeListItem("items", index)}
      />
      <Group grow align="flex-start">
        <TextInput label={texts.common.email} type="email" description={words.receipt} {...form.getInputProps("customer_email")} />
        <TextInput label={words.phone} type="tel" description={words.phoneForm} {...form.getInputProps("customer_phone")} />
      </Group>
      <TextInput label={texts.common.reference} description={words.orderWhat} {...form.getInputProps("external_order_id")} />
      <Group grow align="flex-start">
        <TextInput label={links.successUrl} type="url" {...form.getInputProps("success_url")} />
        <TextInput label={words.failUrl} type="url" {...form.getInputProps("fail_url")} />
      </Group>
    </OperationFields>
  );
}
