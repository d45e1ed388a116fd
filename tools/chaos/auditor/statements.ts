import type { Books, Row } from "./books.ts";
import type { Owners } from "./owners.ts";
import type { Violation } from "./violation.ts";
import { textOf, type World } from "./world.ts";

const PROMISE = "every statement adds up";

/**
 * Once all months are closed: each partner's statements of a currency follow one another without a gap, each adds up, and the last one
 * closes with all that the processor and the bank took and gave back for the partner.
 */
export function auditStatements(books: Books, world: World, owners: Owners): Violation[] {
  const rows = books.rows("SELECT * FROM statements").toSorted((one, other) => Number(one.number) - Number(other.number));
  const series = Map.groupBy(rows, ({ partner_id, currency }) => `${String(partner_id)} ${String(currency)}`);
  const wanted = expectedBalances(world, owners);
  const names = new Set([...series.keys(), ...wanted.keys()]);
  const sums = [...names].flatMap((name) => auditSeries(name, series.get(name) ?? [], wanted.get(name) ?? 0));
  return [...sums, ...auditNumbers(rows)];
}

function auditSeries(name: string, rows: readonly Row[], wanted: number): Violation[] {
  const wrong: Violation[] = [];
  const add = (what: string) => void wrong.push({ promise: PROMISE, what: `${name}: ${what}`, about: "" });
  let before = 0;
  let last = "";
  for (const row of rows) {
    const { month, opening, payments, refunds, disputes, fees, terms, payouts, closing } = row;
    if (opening !== before) add(`${String(month)} opens with ${opening} after ${before}`);
    const parts = [opening, payments, refunds, disputes, terms, payouts].reduce<number>((sum, part) => sum + Number(part), -Number(fees));
    if (closing !== parts) add(`${String(month)} closes with ${closing}, and its parts come to ${parts}`);
    if (String(month) <= last) add(`${String(month)} was closed after ${last}`);
    last = String(month);
    before = Number(closing);
  }
  if (before !== wanted) add(`the statements close with ${before}, and the processor and the bank have ${wanted}`);
  return wrong;
}

/** The numbers of a partner's statements have no gap. */
function auditNumbers(rows: readonly Row[]): Violation[] {
  return [...Map.groupBy(rows, ({ partner_id }) => String(partner_id))].flatMap(([partner, own]) =>
    own.every(({ number }, index) => number === index + 1)
      ? []
      : [{ promise: PROMISE, what: `the numbers of ${partner}: ${own.map(({ number }) => number).join()}`, about: partner }],
  );
}

/** What the live movements of each partner come to, by the processor's and the bank's own objects. Minor units. */
function expectedBalances({ things }: World, owners: Owners): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (partner: string, currency: string, amount: number) => {
    if (partner !== "" && amount !== 0) sums.set(`${partner} ${currency}`, (sums.get(`${partner} ${currency}`) ?? 0) + amount);
  };
  for (const thing of things.filter(({ livemode }) => livemode === true)) {
    if (thing.object === "balance_transaction")
      add(owners.ofMovement(thing), textOf(thing, "currency").toUpperCase(), Number(thing.amount) - Number(thing.fee));
    if (thing.object === "bank_payment" && ["CONFIRMED", "PARTIAL_REFUNDED", "REFUNDED"].includes(textOf(thing, "status")))
      add(owners.ofBankOrder(thing), "RUB", Number(thing.amount) - Number(thing.refunded));
  }
  return sums;
}
