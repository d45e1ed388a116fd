import { Button, Checkbox, Group, Text } from "@mantine/core";
import { useState } from "react";
import { client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import { events } from "../objects/events/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Failure } from "../shared/failure.tsx";
import type { Filter } from "../shared/filters.tsx";
import { texts } from "../texts/index.ts";

const { webhooks: words } = texts;

/** The list of deliveries, of which a person chooses some to be sent again. */
export function ChosenDeliveries({ filters }: { readonly filters: readonly Filter[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const choose = (delivery: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, delivery] : [...before].filter((one) => one !== delivery)));
  const resend = async () => {
    setFailure(null);
    try {
      const { data } = await client.POST("/partner/deliveries/resend-chosen", { body: { deliveries: [...chosen] } });
      setSaid(data === undefined ? null : words.chosenResent(data.restarted.length, data.unchanged.length));
      setChosen(new Set());
      await refreshAll();
    } catch (thrown) {
      setFailure(thrown);
    }
  };
  return (
    <>
      {failure !== null && <Failure thrown={failure} />}
      {(chosen.size > 0 || said !== null) && (
        <Group mb="sm">
          {chosen.size > 0 && (
            <Button size="xs" onClick={() => void resend()}>
              {words.resendChosen(chosen.size)}
            </Button>
          )}
          {said !== null && (
            <Text size="sm" role="status">
              {said}
            </Text>
          )}
        </Group>
      )}
      <ObjectList
        of={events}
        filters={filters}
        columns={[
          {
            header: words.choose,
            from: "sm",
            cell: ({ delivery, type }) => (
              <Checkbox
                size="xs"
                aria-label={words.chooseOne(type)}
                checked={chosen.has(delivery)}
                onChange={(event) => choose(delivery, event.currentTarget.checked)}
                onClick={(event) => event.stopPropagation()}
              />
            ),
          },
        ]}
      />
    </>
  );
}
