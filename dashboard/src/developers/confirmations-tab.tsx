import { Stack, Text } from "@mantine/core";
import { confirmations } from "../objects/confirmations/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { texts } from "../texts/index.ts";

/** What the partner's agents asked a person for. */
export const ConfirmationsTab = () => (
  <Stack>
    <Text size="sm" c="dimmed">
      {texts.confirmations.about}
    </Text>
    <ObjectList of={confirmations} />
  </Stack>
);
