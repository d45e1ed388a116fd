import { Group } from "@mantine/core";
import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { Filters } from "../../shared/filters.tsx";
import { Money } from "../../shared/money.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { payouts: own } = words;
const { payouts: shared } = texts;

const STATES = ["waiting", "recorded", "reversed"] as const;

type Entered = Readonly<Record<"currency" | "partner_id" | "date" | "bank_reference", string> & { amount: number }>;

/** What an operator compares with the bank before approving a payout, or taking it back. */
const inShort = ({ amount, currency, partner_id, date, bank_reference }: Entered) =>
  [moneyText(amount, currency), partner_id, date, bank_reference].join(" · ");

/** The payouts of all partners: one operator enters what the bank paid, another approves it. */
export function PayoutsPage() {
  const { cursor, state, partner } = useSearchTexts();
  const query = api.useQuery(
    "get",
    "/ops/payouts",
    { params: { query: { limit: PAGE_SIZE, cursor, partner, state: STATES.find((one) => one === state) } } },
    keepingPage,
  );
  return (
    <Page title={own.title} about={own.about} actions={<Action call="payouts enter" given={{}} label={own.enter} variant="filled" />}>
      <Filters
        filters={[
          { kind: "choice", name: "state", label: texts.common.status, choices: STATES },
          { kind: "text", name: "partner", label: words.lists.partner },
        ]}
      />
      <PagedList
        label={own.title}
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { header: texts.common.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
          {
            header: texts.common.status,
            cell: (row) => (
              <>
                <Status status={row.state} />
                <SecondLine text={row.reason} />
              </>
            ),
          },
          { header: words.lists.partner, cell: (row) => <PartnerLink id={row.partner_id} /> },
          { header: shared.date, from: "sm", cell: (row) => row.date },
          { header: shared.reference, from: "md", cell: (row) => <span className="clamped">{row.bank_reference}</span> },
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
                  <Action call="payouts approve" given={{ id: row.id }} about={inShort(row)} label={own.approve} />
                )}
                {row.state !== "reversed" && (
                  <Action call="payouts reverse" given={{ id: row.id }} about={inShort(row)} label={own.reverse} />
                )}
              </Group>
            ),
          },
        ]}
        empty={<Empty title={shared.none} next={own.noneNext} />}
      />
    </Page>
  );
}
