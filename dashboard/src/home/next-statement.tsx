import { Anchor, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { monthText } from "../shared/day-text.ts";
import { moneyText } from "../shared/money-text.ts";
import { Note } from "../shared/page.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

/** The statements of the month that goes on, one for each currency, as they stand. Only live data has statements. */
export function NextStatement() {
  const { environment } = useEnvironment();
  const { data } = api.useQuery("get", "/partner/statements", {}, { enabled: environment === "live" });
  const all = environment === "live" ? (data?.data ?? []).filter(({ state }) => state === "open") : [];
  // Months before that wait for their closing stand with the statements.
  const last = all
    .map(({ month }) => month)
    .toSorted()
    .at(-1);
  const open = all.filter(({ month }) => month === last);
  if (open.length === 0) return null;
  return (
    <Group gap="md">
      <Note>{texts.sales.nextStatement}</Note>
      {open.map(({ id, month, currency, closing }) => (
        <Anchor
          key={id}
          size="sm"
          renderRoot={(props) => <Link to="/balance/statements/$statement" params={{ statement: id }} {...props} />}
        >
          {monthText(month)}: {moneyText(closing, currency)}
        </Anchor>
      ))}
    </Group>
  );
}
