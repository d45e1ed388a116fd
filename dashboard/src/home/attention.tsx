import { Alert, Anchor, Stack } from "@mantine/core";
import { AlertIcon, KeyIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../api/client.ts";
import { addressOf } from "../shared/address.ts";
import { MomentText } from "../shared/moment.tsx";
import { useProducts } from "../shared/products.ts";
import { useEnvironment } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { EndpointTrouble } from "../webhooks/endpoint-trouble.tsx";

const { attention: words } = texts;

/** What a person should do something about. Nothing, if there is nothing. */
export function Attention() {
  const mayWebhooks = useMay("webhook_config");
  const mayProducts = useMay("products_view");
  return (
    <Stack gap="sm">
      {mayWebhooks && <WebhookAttention />}
      {mayProducts && <ProductAttention />}
    </Stack>
  );
}

function WebhookAttention() {
  const { environment } = useEnvironment();
  const { data } = api.useQuery("get", "/partner/webhooks");
  const endpoint = data?.data.find((one) => one.environment === environment);
  if (endpoint === undefined) return null;
  const { exhausted = 0 } = endpoint.undelivered ?? {};
  return (
    <>
      {endpoint.state !== "active" && (
        <Alert
          color={endpoint.state === "suspended" ? "red" : "orange"}
          icon={<AlertIcon size={18} aria-hidden />}
          title={endpoint.state === "suspended" ? words.suspended : words.failing}
        >
          <EndpointTrouble endpoint={endpoint} />
        </Alert>
      )}
      {exhausted > 0 && (
        <Notice to="/webhooks?state=exhausted" title={words.exhausted(exhausted)} action={words.toDeliveries}>
          {words.exhaustedWhat}
        </Notice>
      )}
      {endpoint.previous_secret_until !== null && (
        <Alert color="accent" icon={<KeyIcon size={18} aria-hidden />} title={words.grace}>
          {words.graceWhat} <MomentText at={endpoint.previous_secret_until} />.
        </Alert>
      )}
    </>
  );
}

function ProductAttention() {
  const { products } = useProducts();
  const rejected = products.filter(({ moderation }) => moderation === "rejected");
  return rejected.slice(0, 3).map(({ id, name, rejection_reason }) => (
    <Alert key={id ?? name} color="orange" icon={<AlertIcon size={18} aria-hidden />} title={words.rejected(name)}>
      {rejection_reason ?? words.noReason}
    </Alert>
  ));
}

interface NoticeProps {
  readonly to: string;
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
}

function Notice({ to, title, action, children }: NoticeProps) {
  return (
    <Alert color="red" icon={<AlertIcon size={18} aria-hidden />} title={title}>
      {children}{" "}
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link {...addressOf(to)} {...props} />}>
        {action}
      </Anchor>
    </Alert>
  );
}
