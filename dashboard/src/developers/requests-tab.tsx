import { Stack } from "@mantine/core";
import { ObjectList } from "../objects/object-list.tsx";
import { requestsList } from "../objects/requests/list.tsx";
import { Note } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";

const requests = requestsList((request) => `/developers/requests/${request}`);

/** What was asked, what was refused, and how to correct it. */
export function RequestsTab() {
  return (
    <Stack>
      <Note>{texts.requests.about}</Note>
      <ObjectList of={requests} />
    </Stack>
  );
}
