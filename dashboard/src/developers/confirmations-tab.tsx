import { Stack } from "@mantine/core";
import { confirmations } from "../objects/confirmations/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Note } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";

/** What the partner's agents asked a person for. */
export const ConfirmationsTab = () => (
  <Stack>
    <Note>{texts.confirmations.about}</Note>
    <ObjectList of={confirmations} />
  </Stack>
);
