import { Button, Modal, NativeSelect, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { RowOf } from "../api/paths.ts";
import { AmountInput } from "../shared/amount-input.tsx";
import { CallForm } from "../shared/call-form.tsx";
import { minorUnits, shownAmount } from "../shared/typed-number.ts";
import { texts } from "../texts/index.ts";

type Agent = RowOf<"/partner/agents">;
type Environment = Agent["environments"][number];

const { agents: words } = texts;
const demands = ["none", "all", "over"] as const;
const currencies = ["USD", "EUR", "GBP", "BRL", "RUB"] as const;

/** Which creations of an agent wait for a person: a form for each environment that it has. */
export function WaitingRules({ agent }: { readonly agent: Agent }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {words.setWaits}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.setWaitsTitle(agent.client_name)}>
        <Stack>
          <Text size="sm">{words.setWaitsWhat}</Text>
          {agent.environments.map((environment) => (
            <RuleForm key={environment} grant={agent.grant_id} environment={environment} rules={agent.confirmations} done={close} />
          ))}
        </Stack>
      </Modal>
    </>
  );
}

interface RuleFormProps {
  readonly grant: string;
  readonly environment: Environment;
  readonly rules: Agent["confirmations"];
  readonly done: () => void;
}

function RuleForm({ grant, environment, rules, done }: RuleFormProps) {
  const rule = rules.find((one) => one.environment === environment);
  const [demand, setDemand] = useState<(typeof demands)[number]>(rule?.demand ?? "none");
  const [amount, setAmount] = useState(rule?.major_amount === null || rule === undefined ? "" : shownAmount(rule.major_amount));
  const [currency, setCurrency] = useState<(typeof currencies)[number]>(currencies.find((one) => one === rule?.currency) ?? "USD");
  const minor = minorUnits(amount);
  return (
    <CallForm
      action={words.saveWaits}
      isReady={demand !== "over" || typeof minor === "number"}
      send={async () => {
        await client.PUT("/partner/agents/{grant}/confirmations", {
          params: { path: { grant } },
          body: { environment, demand, ...(demand === "over" && typeof minor === "number" ? { amount: minor, currency } : {}) },
        });
        done();
      }}
    >
      <NativeSelect
        label={words.demand(texts.environment[environment])}
        value={demand}
        data={demands.map((one) => ({ value: one, label: words.demands[one] }))}
        onChange={({ currentTarget: { value } }) => setDemand(demands.find((one) => one === value) ?? "none")}
      />
      {demand === "over" && (
        <>
          <AmountInput
            label={words.amount}
            currency={currency}
            value={amount}
            onChange={setAmount}
            error={typeof minor === "string" ? texts.form.unclearAmount : null}
          />
          <NativeSelect
            label={words.currency}
            value={currency}
            data={[...currencies]}
            onChange={({ currentTarget: { value } }) => setCurrency(currencies.find((one) => one === value) ?? "USD")}
          />
        </>
      )}
    </CallForm>
  );
}
