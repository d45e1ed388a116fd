import { ObjectList } from "../objects/object-list.tsx";
import { payouts } from "../objects/payouts/list.tsx";
import { Card } from "../shared/page.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { payouts: words } = texts;

/** The payouts of live data: there are none of test data. */
export function Payouts() {
  const { environment } = useEnvironment();
  return environment === "test" ? <Card title={words.title}>{words.liveOnly}</Card> : <ObjectList of={payouts} />;
}
