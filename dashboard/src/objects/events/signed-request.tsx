import { Accordion, Code, Group, Stack } from "@mantine/core";
import type { AnswerOf } from "../../api/paths.ts";
import { Copy } from "../../shared/copy.tsx";
import { Note } from "../../shared/page.tsx";
import { shellQuote } from "../../shared/shell-quote.ts";
import { texts } from "../../texts/index.ts";

type Shown = AnswerOf<"/partner/deliveries/{event}">;

const { webhooks: words } = texts;

/** The request as it would be sent now, for a test of one's own receiver. */
export function SignedRequest({ request }: { readonly request: Shown["request"] }) {
  if (request.headers === null || request.url === null) return null;
  const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const curl = [
    `curl ${shellQuote(request.url)}`,
    ...lines.map((line) => `  -H ${shellQuote(line)}`),
    `  --data-binary ${shellQuote(request.body)}`,
  ].join(" \\\n");
  return (
    <Accordion variant="separated">
      <Accordion.Item value="request">
        <Accordion.Control>{words.request}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            <Group justify="space-between">
              <Note>{words.requestWhat}</Note>
              <Copy value={curl} what={texts.curl.what} />
            </Group>
            <Code block tabIndex={0}>
              {lines.join("\n")}
            </Code>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
