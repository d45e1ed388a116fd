import { Anchor, Box, Code, Group, Stack } from "@mantine/core";
import { isOfCarts } from "../shared/cart-currencies.ts";
import { Copy } from "../shared/copy.tsx";
import { Card, Note } from "../shared/page.tsx";
import { isSold, useProducts } from "../shared/products.ts";
import { minorOfTwoDecimals } from "../shared/typed-number.ts";
import { useEnvironment } from "../shell/environment.ts";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { samples: words } = texts;

/** Calls to copy, with this partner's own products; only the key is missing. */
export function SamplesTab() {
  const { environment } = useEnvironment();
  const { products } = useProducts();
  const [first] = products.filter((product) => isSold(product, "card", environment) && isOfCarts(product.currency));
  const { api } = useSession();
  const header = "  -H 'X-Partner-Api-Key: YOUR_API_KEY' \\\n  -H 'Content-Type: application/json' \\\n";
  const cart = {
    items: [{ stripe_product_id: first?.id ?? "prod_YOURS", unit_amount: minorOfTwoDecimals(first?.amount ?? 19), quantity: 1 }],
    client_token: "order-2041",
  };
  const samples = [
    [words.link, `curl ${api}/create-partner-processor-cart-payment-link \\\n${header}  -d '${JSON.stringify(cart)}'`],
    [words.paid, `curl ${api}/list-partner-processor-transactions \\\n${header}  -d '${JSON.stringify({ environment, limit: 20 })}'`],
    [
      texts.webhooks.register,
      `curl ${api}/register-partner-notifications-webhook \\\n${header}  -d '${JSON.stringify({ [`${environment}_url`]: "https://shop.example/hooks" })}'`,
    ],
    [words.agent, `${api}/mcp`],
  ] as const;
  return (
    <Stack>
      <Note>
        {words.about}{" "}
        <Anchor href={`${api}/docs/quickstart`} target="_blank" rel="noreferrer">
          {words.quickstart}
        </Anchor>
      </Note>
      {samples.map(([title, text]) => (
        <Card key={title} title={title} actions={<Copy value={text} what={title} />}>
          <Group>
            <Box w="100%">
              <Code block tabIndex={0}>
                {text}
              </Code>
            </Box>
          </Group>
        </Card>
      ))}
    </Stack>
  );
}
