import { Copied } from "../shared/copy.tsx";
import { Facts } from "../shared/facts.tsx";
import { texts } from "../texts/index.ts";

const { rublePayments: words } = texts;

interface PayAddressesProps {
  readonly payment_url: string;
  readonly sbp_url: string | null;
}

/** Where a customer pays: by fast payment, which costs the least, or by card. */
export const PayAddresses = ({ payment_url, sbp_url }: PayAddressesProps) => (
  <Facts
    facts={[
      [words.sbp, sbp_url === null ? null : <Copied key="sbp" value={sbp_url} what={words.sbp} />],
      [words.cardPage, <Copied key="card" value={payment_url} what={words.cardPage} />],
    ]}
  />
);
