import { LinkDetail } from "../../objects/links/detail.tsx";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";

const { links: own } = words;

/** One payment link, with what operators can do about it. */
export const LinkPage = () => (
  <LinkDetail
    actions={({ payment_link_id: link, short_url, state }) => (
      <>
        {short_url === null && <Action call="short-links complete" given={{ link }} label={own.complete} isImmediate />}
        {state === "open" && short_url !== null && <Action call="payment-links disable" given={{ link }} label={own.disable} />}
        {state === "disabled" && <Action call="payment-links enable" given={{ link }} label={own.enable} />}
      </>
    )}
  />
);
