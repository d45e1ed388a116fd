import type { RowOf } from "../../api/paths.ts";
import { moneyText } from "../../shared/money-text.ts";
import { texts } from "../../texts/index.ts";

type Rules = RowOf<"/partner/agents">["confirmations"];
type Preview = RowOf<"/partner/confirmations">["would_make"];

const { agents, confirmations: words } = texts;

/** Which creations of an agent wait for a person, by environment. */
export function waitingText(rules: Rules): string {
  const said = rules.map(({ environment, major_amount, currency }) =>
    major_amount === null || currency === null
      ? agents.waitsAll(texts.environment[environment])
      : agents.waitsOver(texts.environment[environment], moneyText(major_amount, currency)),
  );
  return said.length === 0 ? agents.waitsNone : said.join(", ");
}

/** What a request makes, with its price: "Payment link · $77.00". */
export function titleOfPreview({ kind, price }: Pick<Preview, "kind" | "price">): string {
  const amount = price === null ? null : moneyText(price.major_amount, price.currency);
  return [words.kinds[kind], amount].filter((part) => part !== null).join(" · ");
}

/** A warning in the language of the page. One that is new to the page stands as the Worker says it. */
export function warningText({ code, about, message }: Preview["warnings"][number]): string {
  const say: ((about: string) => string) | undefined = words.warning[code];
  return say === undefined ? message : say(about ?? "");
}
