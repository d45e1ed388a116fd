import { Button, Group, MultiSelect, Select, Stack, Text, TextInput } from "@mantine/core";
import { WholeInput } from "../shared/amount-input.tsx";
import { Copied } from "../shared/copy.tsx";
import { DateInput } from "../shared/date-input.tsx";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { OperationFields, useOperationForm } from "../shared/operation-form.tsx";
import { Card, Note, Page } from "../shared/page.tsx";
import { isSold, type Product, useProducts } from "../shared/products.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { wholeNumber } from "../shared/typed-number.ts";
import { CreateButton } from "../shell/creations.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { promotionCodes: words } = texts;
const OPERATION = "promotion-code-create";
const DURATIONS = ["once", "repeating", "forever"] as const;

const initial = {
  stripe_product_ids: [] as string[],
  code: "",
  percent_off: "",
  duration: "once" as string | null,
  duration_in_months: "",
  max_redemptions: "",
  expires_at: "",
};

/** Makes a promotion code: operation 2. */
export function NewPromotionCodePage() {
  const { environment } = useEnvironment();
  const { products, error, isPending } = useProducts();
  const sold = products.filter((product) => isSold(product, "card", environment));
  return (
    <Page back={{ to: "/promotion-codes", label: words.title }} title={words.create} about={words.newAbout}>
      <Card>
        {isPending && <RowsSkeleton />}
        {error !== null && <Failure thrown={error} />}
        {!isPending && error === null && sold.length === 0 && (
          <Empty title={texts.links.noProducts} next={texts.links.noProductsNext} action={<CreateButton to="/products/new" />} />
        )}
        {sold.length > 0 && <CodeForm key={environment} products={sold} />}
      </Card>
    </Page>
  );
}

function CodeForm({ products }: { readonly products: readonly (Product & { id: string })[] }) {
  const state = useOperationForm({
    operation: OPERATION,
    token: "idempotency_key",
    initial,
    toBody: (values) => ({
      stripe_product_ids: values.stripe_product_ids,
      code: values.code.trim(),
      percent_off: wholeNumber(values.percent_off),
      duration: values.duration ?? undefined,
      duration_in_months: values.duration === "repeating" ? wholeNumber(values.duration_in_months) : undefined,
      max_redemptions: wholeNumber(values.max_redemptions),
      expires_at: values.expires_at || undefined,
    }),
  });
  const { form, answer, again } = state;
  if (answer !== null)
    return (
      <Stack role="status">
        <Text fw={600}>{words.made(answer.percent_off)}</Text>
        <Copied value={answer.code} what={words.code} />
        <Note>{words.madeNext}</Note>
        <Group>
          <Button variant="default" onClick={again}>
            {texts.common.another}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <OperationFields state={state} action={words.createAction}>
      <TextInput label={words.code} description={texts.help.code} required {...form.getInputProps("code")} />
      <MultiSelect
        label={texts.products.title}
        description={texts.help.stripe_product_ids}
        required
        searchable
        data={products.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps("stripe_product_ids")}
      />
      <Group align="flex-start">
        <WholeInput label={words.off} rightSection="%" required w={140} {...form.getInputProps("percent_off")} />
        <Select
          label={words.duration}
          w={220}
          allowDeselect={false}
          data={DURATIONS.map((value) => ({ value, label: words.durationOf(value, null) }))}
          {...form.getInputProps("duration")}
        />
        {form.getValues().duration === "repeating" && (
          <WholeInput label={words.months} required w={140} {...form.getInputProps("duration_in_months")} />
        )}
      </Group>
      <Group align="flex-start">
        <WholeInput label={words.redemptions} placeholder={words.unlimited} w={180} {...form.getInputProps("max_redemptions")} />
        <DateInput label={texts.common.expires} placeholder={texts.common.never} {...form.getInputProps("expires_at")} />
      </Group>
    </OperationFields>
  );
}
