import { Button, Group, Modal, NativeSelect, Stack, Text } from "@mantine/core";
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

/** What of an environment waits, as it is typed. */
interface Typed {
  readonly environment: Environment;
  readonly demand: (typeof demands)[number];
  readonly amount: string;
  readonly currency: (typeof currencies)[number];
}

function typedOf(environment: Environment, rules: Agent["confirmations"]): Typed {
  const { demand = "none", major_amount: amount = null, currency = null } = rules.find((one) => one.environment === environment) ?? {};
  return {
    environment,
    demand,
    amount: amount === null ? "" : shownAmount(amount),
    currency: currencies.find((one) => one === currency) ?? "USD",
  };
}

/** Which creations of an agent wait for a person, in each environment that it has. What is shown is what is there. */
export function WaitingRules({ agent }: { readonly agent: Agent }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {words.setWaits}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.setWaitsTitle(agent.client_name)}>
        <RulesForm agent={agent} done={close} />
      </Modal>
    </>
  );
}

function RulesForm({ agent, done }: { readonly agent: Agent; readonly done: () => void }) {
  // What was there when the form was opened: a colleague's change since then is not taken back.
  const [known] = useState(() => agent.environments.map((environment) => typedOf(environment, agent.confirmations)));
  const [typed, setTyped] = useState(known);
  const set = (changed: Typed) => setTyped(typed.map((one) => (one.environment === changed.environment ? changed : one)));
  const save = async () => {
    for (const rule of typed) {
      if (known.some((one) => JSON.stringify(one) === JSON.stringify(rule))) continue;
      const { environment, demand, amount, currency } = rule;
      const minor = minorUnits(amount);
      await client.PUT("/partner/agents/{grant}/confirmations", {
        params: { path: { grant: agent.grant_id } },
        body: { environment, demand, ...(demand === "over" && typeof minor === "number" ? { amount: minor, currency } : {}) },
      });
    }
    done();
  };
  const isChanged = JSON.stringify(typed) !== JSON.stringify(known);
  const isReady = isChanged && typed.every(({ demand, amount }) => demand !== "over" || typeof minorUnits(amount) === "number");
  return (
    <Stack>
      <Text size="sm">{words.setWaitsWhat}</Text>
      <CallForm action={texts.keys.permitAction} isReady={isReady} send={save}>
        {typed.map((rule) => (
          <RuleFields key={rule.environment} rule={rule} set={set} />
        ))}
      </CallForm>
    </Stack>
  );
}

function RuleFields({ rule, set }: { readonly rule: Typed; readonly set: (changed: Typed) => void }) {
  const { environment, demand, amount, currency } = rule;
  return (
    <>
      <NativeSelect
        label={words.demand(texts.environment[environment])}
        value={demand}
        data={demands.map((one) => ({ value: one, label: words.demands[one] }))}
        onChange={({ currentTarget: { value } }) => set({ ...rule, demand: demands.find((one) => one === value) ?? demand })}
      />
      {demand === "over" && (
        <Group align="flex-start" grow>
          <AmountInput
            label={texts.common.amount}
            currency={currency}
            value={amount}
            onChange={(wanted) => set({ ...rule, amount: wanted })}
            error={typeof minorUnits(amount) === "string" ? texts.form.unclearAmount : null}
          />
          <NativeSelect
            label={texts.common.currency}
            value={currency}
            data={[...currencies]}
            onChange={({ currentTarget: { value } }) => set({ ...rule, currency: currencies.find((one) => one === value) ?? currency })}
          />
        </Group>
      )}
    </>
  );
}
