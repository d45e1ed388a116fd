import { Group, SegmentedControl, Select, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
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
  const [typed, setTyped] = useState(initial);
  const [isTried, setTried] = useState(false);
  const faults = isTried ? faultsOfProduct(typed) : {};
  const set = (change: Partial<TypedProduct>) => setTyped({ ...typed, ...change });
  const submit = async () => {
    setTried(true);
    const [fault] = Object.values(faultsOfProduct(typed));
    if (fault !== undefined) return false;
    return send(submissionOf(typed, environment));
  };
  const isCard = typed.kind === "card";
  return (
    <CallForm action={words.submitAction} send={submit}>
      {isNew && (
        <SegmentedControl
          aria-label={words.soldBy}
          w="fit-content"
          value={typed.kind}
          onChange={(kind) => set({ kind: kind === "ruble" ? "ruble" : "card" })}
          data={(["card", "ruble"] as const).map((value) => ({ value, label: words.kinds[value] }))}
        />
      )}
      <TextInput
        label={texts.common.name}
        description={words.nameWhat}
        withAsterisk
        maw={520}
        value={typed.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {isCard && (
        <Textarea
          label={words.description}
          maw={520}
          autosize
          minRows={2}
          value={typed.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
      )}
      <Group align="flex-start">
        <AmountInput
          label={words.price}
          w={170}
          withAsterisk
          currency={isCard ? typed.currency : "RUB"}
          value={typed.amount}
          error={faults.amount}
          onChange={(amount) => set({ amount })}
        />
        {isCard && (
          <Select
            label={texts.common.currency}
            w={110}
            allowDeselect={false}
            data={currencies}
            value={typed.currency}
            onChange={(currency) => set({ currency: currencies.find((one) => one === currency) ?? typed.currency })}
          />
        )}
        {!isCard && (
          <TextInput
            label={words.vat}
            description={words.vatWhat}
            maw={320}
            value={typed.vat}
            onChange={(event) => set({ vat: event.currentTarget.value })}
          />
        )}
      </Group>
      {isCard && (
        <Group align="flex-start">
          <Select
            label={words.type}
            w={170}
            allowDeselect={false}
            data={(["one_time", "subscription"] as const).map((value) => ({ value, label: words.types[value] }))}
            value={typed.type}
            onChange={(type) => set({ type: type === "subscription" ? "subscription" : "one_time" })}
          />
          {typed.type === "subscription" && (
            <>
              <WholeInput
                label={words.intervalCount}
                w={90}
                value={typed.count}
                error={faults.count}
                onChange={(count) => set({ count })}
              />
              <Select
                label={words.interval}
                w={130}
                allowDeselect={false}
                data={intervals.map((value) => ({ value, label: words.intervals[value] }))}
                value={typed.interval}
                onChange={(interval) => set({ interval: intervals.find((one) => one === interval) ?? typed.interval })}
              />
            </>
          )}
        </Group>
      )}
    </CallForm>
  );
}
