import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { words } from "../texts.ts";
import { undo, useDecisions } from "./decisions.ts";

const { moderation: own } = words;

/** Decisions about products that can still be undone, and those that are being carried out. It stands on every page. */
export function DecisionBar() {
  const decisions = useDecisions();
  if (decisions.length === 0) return null;
  return (
    <Stack gap="xs" mb="lg" maw={1180} mx="auto" role="status">
      {decisions.map(({ id, verdict, products, done }) =>
        done === null ? (
          <Alert key={id} color="accent">
            <Group justify="space-between">
              <Text size="sm">{own.soon(verdict === "approve" ? words.products.approve : words.products.reject, products.length)}</Text>
              <Button size="xs" onClick={undo}>
                {own.undo}
              </Button>
            </Group>
          </Alert>
        ) : (
          <div key={id}>
            <Text size="sm">{own.progress(done, products.length)}</Text>
            <Progress value={(100 * done) / products.length} aria-label={own.title} />
          </div>
        ),
      )}
    </Stack>
  );
}
