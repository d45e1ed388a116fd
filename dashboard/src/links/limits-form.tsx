import { Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { ShownLink } from "../objects/links/detail.tsx";
import { CallForm } from "../shared/call-form.tsx";
import { DateInput } from "../shared/date-input.tsx";
import { Card } from "../shared/page.tsx";
import { wholeNumber } from "../shared/typed-number.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { links: words } = texts;

/** After how many payments, and when, a link closes. What was saved is what the fields begin with. */
export function LimitsForm({ link }: { readonly link: ShownLink }) {
  const mayChange = useMay("product_create");
  if (!mayChange || link.short_url === null || link.disabled_by === "support") return null;
  return <Fields key={`${link.completed_sessions} ${link.closes_at}`} link={link} />;
}

function Fields({ link: { payment_link_id: link, completed_sessions, closes_at } }: { readonly link: ShownLink }) {
  const [payments, setPayments] = useState(completed_sessions === null ? "" : String(completed_sessions));
  const [end, setEnd] = useState(closes_at ?? "");
  const sessions = wholeNumber(payments) ?? null;
  const isNumber = typeof sessions !== "string";
  // What stays as it is is left out: an end that is over cannot be set again.
  const body = {
    ...(isNumber && sessions !== completed_sessions ? { completed_sessions: sessions } : {}),
    ...(end === (closes_at ?? "") ? {} : { closes_at: end === "" ? null : end }),
  };
  return (
    <Card title={words.limits}>
      <CallForm
        action={words.saveLimits}
        isReady={isNumber && Object.keys(body).length > 0}
        send={() => client.POST("/partner/links/{link}/limits", { params: { path: { link } }, body })}
      >
        <Group align="flex-end">
          <TextInput
            label={words.paymentsUntil}
            description={words.paymentsUntilWhat}
            inputMode="numeric"
            value={payments}
            error={isNumber ? null : texts.form.integer}
            onChange={({ currentTarget }) => setPayments(currentTarget.value)}
            w={280}
          />
          <DateInput label={words.closesAt} description={words.closesAtWhat} value={end} onChange={setEnd} />
        </Group>
      </CallForm>
    </Card>
  );
}
