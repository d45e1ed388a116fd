import { Group, Stack } from "@mantine/core";
import { QRCodeSVG } from "qrcode.react";
import { api } from "../api/client.ts";
import { statusOf } from "../api/failure.ts";
import { NotThere } from "../objects/object-page.tsx";
import { RUBLE_PAYMENTS, RubleDetail } from "../objects/ruble-payments/detail.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentText } from "../shared/moment.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { Card, Note } from "../shared/page.tsx";
import { useIdInPath } from "../shared/search-texts.ts";
import { useEnvironmentOf } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { PayAddresses } from "./pay-addresses.tsx";

const { rublePayments: words } = texts;

/** One ruble payment: where it is paid while it can be, its status and its story. */
export function RublePaymentPage() {
  const order = useIdInPath("order");
  const { data, error, refetch } = api.useQuery("get", "/partner/bank-payments", { params: { query: { order, limit: 100 } } });
  // The partner's own number of another payment may look like this one's id.
  const payment = data?.data.find(({ order_id }) => order_id === order);
  useEnvironmentOf(payment);
  if (data === undefined) return <NotThere title={order} back={RUBLE_PAYMENTS} error={error} retry={() => void refetch()} />;
  if (payment === undefined) return <NotFound />;
  return <RubleDetail payment={payment} above={payment.payable_until !== null && <PayLink order={order} />} />;
}

/** In milliseconds: an address that no longer takes money must not stay on the page. */
const LOOK_AGAIN = 60_000;

/** The addresses that a customer pays at, until the payment's time is over. */
function PayLink({ order }: { readonly order: string }) {
  const { data, error, refetch } = api.useQuery(
    "get",
    "/partner/bank-payments/{order}/pay-link",
    { params: { path: { order } } },
    { retry: false, refetchInterval: LOOK_AGAIN },
  );
  // Its time is over, or it was paid by now: the page that is loaded next says so.
  if (error !== null) return statusOf(error) === 409 ? null : <Failure thrown={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  const { payment_url, sbp_url, payable_until } = data;
  return (
    <Card title={words.payLink}>
      <Group gap="xl" align="flex-start">
        {sbp_url !== null && <QRCodeSVG value={sbp_url} size={140} marginSize={2} title={words.sbpQr} style={{ borderRadius: 8 }} />}
        <Stack gap="xs" flex="1 1 280px" maw={520}>
          <PayAddresses payment_url={payment_url} sbp_url={sbp_url} />
          <Note>
            {words.payableUntil} <MomentText at={payable_until} />
          </Note>
        </Stack>
      </Group>
    </Card>
  );
}
