import { Group, SegmentedControl, Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { AmountInput, WholeInput } from "../shared/amount-input.tsx";
import { CallForm } from "../shared/call-form.tsx";
import { texts } from "../texts/index.ts";
import { currencies, faultsOfProduct, intervals, type Submission, submissionOf, type TypedProduct } from "./submission.ts";

const { products: words } = texts;

interface ProductFormProps {
  readonly initial: TypedProduct;
  readonly environment: "live" | "test";
  /** Whether customers pay by card or in rubles is fixed from the first submission on. */
  readonly isNew: boolean;
  readonly send: (body: Submission) => Promise<void>;
}

/** What a partner says of a product. What decides how it is taxed and paid is for moderation. */
export function ProductForm({ initial, environment, isNew, send }: ProductFormProps) {
  const form = useForm<TypedProduct>({ initialValues: initial, validate: faultsOfProduct });
  const typed = form.getValues();
  const submit = async () => !form.validate().hasErrors && send(submissionOf(typed, environment));
  const isCard = typed.kind === "card";
  return (
    <CallForm action={words.submitAction} send={submit}>
      {isNew && (
        <SegmentedControl
          aria-label={words.soldBy}
          w="fit-content"
          data={(["card", "ruble"] as const).map((value) => ({ value, label: words.kinds[value] }))}
          {...form.getInputProps("kind")}
        />
      )}
      <TextInput label={texts.common.name} description={words.nameWhat} withAsterisk maw={520} {...form.getInputProps("name")} />
      {isCard && <Textarea label={words.description} maw={520} autosize minRows={2} {...form.getInputProps("description")} />}
      <Group align="flex-start">
        <AmountInput
          label={words.price}
          w={170}
          withAsterisk
          currency={isCard ? typed.currency : "RUB"}
          {...form.getInputProps("amount")}
        />
        {isCard && (
          <Select label={texts.common.currency} w={110} allowDeselect={false} data={currencies} {...form.getInputProps("currency")} />
        )}
        {!isCard && <TextInput label={words.vat} description={words.vatWhat} maw={320} {...form.getInputProps("vat")} />}
      </Group>
      {isCard && (
        <Group align="flex-start">
          <Select
            label={words.type}
            w={170}
            allowDeselect={false}
            data={(["one_time", "subscription"] as const).map((value) => ({ value, label: words.types[value] }))}
            {...form.getInputProps("type")}
          />
          {typed.type === "subscription" && (
            <>
              <WholeInput label={words.intervalCount} w={90} {...form.getInputProps("count")} />
              <Select
                label={words.interval}
                w={130}
                allowDeselect={false}
                data={intervals.map((value) => ({ value, label: words.intervals[value] }))}
                {...form.getInputProps("interval")}
              />
            </>
          )}
        </Group>
      )}
    </CallForm>
  );
}
