import { Group } from "@mantine/core";
import type { RowOf as PartnersRowOf } from "../../api/paths.ts";
import { listPage } from "../../objects/list-page.tsx";
import { payouts } from "../../objects/payouts/list.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import type { RowOf } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { ofOperators } from "../shared/ops-list.ts";
import { words } from "../texts.ts";

const { payouts: own } = words;

type Payout = RowOf<"/ops/payouts">;

/** What an operator compares with the bank before approving a payout, or taking it back. */
const inShort = ({ amount, currency, partner_id, date, bank_reference }: Payout) =>
  [moneyText(amount, currency), partner_id, date, bank_reference].join(" · ");

const columns = ofOperators<Payout, PartnersRowOf<"/partner/payouts">>([
  {
    header: own.by,
    from: "md",
    cell: (row) => (
      <>
        {own.enteredBy(row.entered_by)}
        <SecondLine text={row.approved_by === null ? null : own.approvedBy(row.approved_by)} />
      </>
    ),
  },
  {
    header: texts.keys.actions,
    cell: (row) => (
      <Group gap="xs" wrap="nowrap">
        {row.state === "waiting" && (
          <Action call="payouts approve" given={{ id: row.id }} about={inShort(row)} label={words.products.approve} />
        )}
        {row.state !== "reversed" && <Action call="payouts reverse" given={{ id: row.id }} about={inShort(row)} label={own.reverse} />}
      </Group>
    ),
  },
]);

const enter = <Action call="payouts enter" given={{}} label={own.enter} variant="filled" />;

/** The payouts of all partners: one operator enters what the bank paid, another approves it. */
export const PayoutsPage = listPage({ ...payouts, noneNext: own.noneNext }, own.about, { action: enter, columns });
