import { Accordion, Code, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callOperation } from "../api/operations.ts";
import { OrderDetail } from "../objects/orders/detail.tsx";
import { Failure } from "../shared/failure.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { orders: words } = texts;

/** One order, with the processor's own objects of a card payment. */
export function OrderPage() {
  const mayRead = useMay("payment_read");
  return (
    <OrderDetail actions={() => undefined}>
      {(order) => (mayRead && order.startsWith("pi_") ? <Snapshot payment={order} /> : undefined)}
    </OrderDetail>
  );
}

/** The processor's own objects, asked for when they are unfolded. */
function Snapshot({ payment }: { readonly payment: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["snapshot", payment],
    queryFn: () => callOperation("get-partner-processor-payment", { payment_intent_id: payment }),
    enabled: isOpen,
    retry: false,
  });
  return (
    <Accordion variant="separated" onChange={(open) => setOpen(open !== null)}>
      <Accordion.Item value="objects">
        <Accordion.Control>{words.objects}</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {error !== null && <Failure thrown={error} />}
            {data !== undefined && (
              <Code block tabIndex={0} mah={480} style={{ overflow: "auto" }}>
                {Object.keys(data.payment.snapshot).length === 0 ? words.noObjects : JSON.stringify(data.payment.snapshot, null, 2)}
              </Code>
            )}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
