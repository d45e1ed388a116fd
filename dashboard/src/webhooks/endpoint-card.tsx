import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useState } from "react";
import { client } from "../api/client.ts";
import { callOperation } from "../api/operations.ts";
import type { paths } from "../api/schema.d.ts";
import { Confirm } from "../shared/confirm.tsx";
import { Copied } from "../shared/copy.tsx";
import { Facts } from "../shared/facts.tsx";
import { MomentWithUtc } from "../shared/moment.tsx";
import { OperationFields, useOperationForm } from "../shared/operation-form.tsx";
import { Card, Note } from "../shared/page.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { Status } from "../shared/status.tsx";
import { tokenFor } from "../shared/tokens.ts";
import type { Environment } from "../shell/environment.ts";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { EndpointTrouble } from "./endpoint-trouble.tsx";
import { ChangeForm } from "./further-form.tsx";
import { HealthFacts } from "./health-facts.tsx";
import { ResendSeveral } from "./resend-several.tsx";
import { SecretField } from "./secret-field.tsx";
import { TestEventButton } from "./test-event-form.tsx";

type Endpoint = paths["/partner/webhooks"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

const { webhooks: words } = texts;

interface EndpointCardProps {
  readonly environment: Environment;
  /** Null: none is registered. */
  readonly endpoint: Endpoint | null;
}

/** A webhook: its state with the cure, its address, its secret, and a test. The first one of an environment is registered by operation 10. */
export function EndpointCard({ environment, endpoint }: EndpointCardProps) {
  const [isEditing, setEditing] = useState(endpoint === null);
  if (endpoint === null || isEditing)
    return (
      <Card title={endpoint === null ? words.register : words.change}>
        {endpoint === null || endpoint.name === null ? (
          <RegisterForm environment={environment} url={endpoint?.webhook_url ?? ""} onDone={() => setEditing(false)} />
        ) : (
          <ChangeForm endpoint={endpoint} onDone={() => setEditing(false)} />
        )}
        {endpoint !== null && (
          <Group>
            <Button variant="subtle" onClick={() => setEditing(false)}>
              {texts.confirm.cancel}
            </Button>
          </Group>
        )}
      </Card>
    );
  const { exhausted = 0, pending = 0, sending = 0, suspended = 0 } = endpoint.undelivered ?? {};
  return (
    <Card title={endpoint.name ?? words.endpoint} actions={<EndpointActions endpoint={endpoint} onEdit={() => setEditing(true)} />}>
      {endpoint.state !== "active" ? (
        <Alert color={endpoint.state === "suspended" ? "red" : "orange"} icon={<AlertIcon size={18} aria-hidden />}>
          <EndpointTrouble endpoint={endpoint} />
        </Alert>
      ) : null}
      <Facts
        facts={[
          [texts.common.status, <Status key="state" status={endpoint.state} />],
          [words.url, <Copied key="url" value={endpoint.webhook_url} what={words.url} />],
          ...(endpoint.name === null
            ? []
            : [[words.kinds, endpoint.events === null ? words.allKinds : endpoint.events.join(", ")] as const]),
          [words.since, <MomentWithUtc key="since" at={endpoint.registered_at} />],
          [
            words.waiting,
            <Group key="waiting" gap="md">
              {suspended > 0 && <PageLink to={`/webhooks?webhook=${endpoint.webhook}&state=suspended`}>{words.kept(suspended)}</PageLink>}
              {(suspended === 0 || pending + sending > 0) && (
                <PageLink to={`/webhooks?webhook=${endpoint.webhook}&state=pending`}>{words.pending(pending + sending)}</PageLink>
              )}
              <PageLink to={`/webhooks?webhook=${endpoint.webhook}&state=exhausted`}>{words.exhausted(exhausted)}</PageLink>
              {endpoint.state !== "suspended" && (
                <ResendSeveral environment={environment} webhook={endpoint.webhook} state="exhausted" count={exhausted} />
              )}
              {endpoint.state === "failing" && (
                <ResendSeveral environment={environment} webhook={endpoint.webhook} state="pending" count={pending} />
              )}
            </Group>,
          ],
          [words.health, <HealthFacts key="health" webhook={endpoint.webhook} />],
          [
            words.graceUntil,
            endpoint.previous_secret_until === null ? null : <MomentWithUtc key="grace" at={endpoint.previous_secret_until} />,
          ],
          [words.secret, <SecretField key={`secret ${endpoint.previous_secret_until}`} webhook={endpoint.webhook} />],
        ]}
      />
    </Card>
  );
}

function EndpointActions({ endpoint, onEdit }: { readonly endpoint: Endpoint; readonly onEdit: () => void }) {
  const { person } = useSession();
  const isFurther = endpoint.name !== null;
  const params = { params: { path: { webhook: endpoint.webhook } } };
  return (
    <>
      <TestEventButton webhook={endpoint.webhook} />
      <Button size="xs" variant="default" onClick={onEdit}>
        {endpoint.name === null ? words.changeUrl : texts.products.change}
      </Button>
      {endpoint.state === "suspended" && !endpoint.is_held && (
        <Confirm
          label={words.resume}
          title={words.resumeTitle}
          consequence={words.resumeWhat}
          act={() => client.POST("/partner/webhooks/{webhook}/resume", params)}
        />
      )}
      {(isFurther ? !endpoint.is_held : endpoint.state !== "suspended") && (
        <Confirm
          label={isFurther ? texts.common.remove : words.unregister}
          title={isFurther ? words.removeTitle : words.unregisterTitle}
          consequence={isFurther ? words.removeWhat : words.unregisterWhat}
          color="red"
          act={() => client.DELETE("/partner/webhooks/{webhook}", params)}
        />
      )}
      <Confirm
        label={words.rotate}
        title={words.rotateTitle}
        consequence={endpoint.previous_secret_until === null ? words.rotateWhat : words.rotateAgainWhat}
        act={() =>
          isFurther
            ? client.POST("/partner/webhooks/{webhook}/replace-secret", {
                ...params,
                body: { previous_secret_until: endpoint.previous_secret_until },
              })
            : rotateOnce(endpoint, person.id)
        }
      />
    </>
  );
}

/** A repeat after a lost answer must not be a second rotation, which would end the secret that receivers still have. */
async function rotateOnce({ environment, previous_secret_until }: Endpoint, personId: string): Promise<void> {
  const pending = await tokenFor(`${personId} rotation`, `${environment} ${previous_secret_until}`);
  await callOperation("rotate-partner-webhook-secret", { environment, client_token: pending.token });
  pending.forget();
}

interface RegisterFormProps {
  readonly environment: Environment;
  readonly url: string;
  readonly onDone: () => void;
}

/** Registers an address: operation 10. */
function RegisterForm({ environment, url, onDone }: RegisterFormProps) {
  const field = environment === "live" ? "live_url" : "test_url";
  const state = useOperationForm({
    operation: "register-partner-notifications-webhook",
    token: "client_token",
    initial: { live_url: "", test_url: "", [field]: url },
    toBody: (values) => ({ [field]: values[field] }),
    onDone,
  });
  return (
    <OperationFields state={state} action={url === "" ? words.registerAction : words.changeAction}>
      <Stack gap={4}>
        <TextInput
          label={words.url}
          type="url"
          placeholder="https://shop.example/hooks"
          description={environment === "live" ? words.liveUrl : words.testUrl}
          required
          {...state.form.getInputProps(field)}
        />
        <Note size="xs">{words.registerWhat}</Note>
      </Stack>
    </OperationFields>
  );
}
