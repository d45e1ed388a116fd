import { Accordion, Box, Code } from "@mantine/core";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { Copy } from "./copy.tsx";
import { shellQuote } from "./shell-quote.ts";

interface CurlProps {
  /** The path of the operation, such as `/create-partner-processor-cart-payment-link`. */
  readonly path: string;
  readonly body: object;
  /** Whether the key stands in the body, as it does in the first generation. */
  readonly keyInBody?: boolean;
}

/** The same call for a program: with a key instead of the session, at the API's address. */
export function Curl({ path, body, keyInBody = false }: CurlProps) {
  const { api } = useSession();
  const sent = keyInBody ? { api_key: "YOUR_API_KEY", ...body } : body;
  const text = [
    `curl ${api}${path}`,
    ...(keyInBody ? [] : ["  -H 'X-Partner-Api-Key: YOUR_API_KEY'"]),
    "  -H 'Content-Type: application/json'",
    `  -d ${shellQuote(JSON.stringify(sent, null, 2))}`,
  ].join(" \\\n");
  return (
    <Accordion variant="separated">
      <Accordion.Item value="curl">
        <Accordion.Control>{texts.curl.title}</Accordion.Control>
        <Accordion.Panel>
          <Box pos="relative">
            <Box pos="absolute" right={4} top={4}>
              <Copy value={text} what={texts.curl.what} />
            </Box>
            <Code block tabIndex={0}>
              {text}
            </Code>
          </Box>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
