import { Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useSessionEnded } from "../api/session-state.ts";
import { texts } from "../texts/index.ts";

/** Above the dialog in which a person was typing. */
const ABOVE_ALL = 1000;

/** Asks to sign in again above the page, which keeps what was typed. */
export const EndedDialog = ({ children }: { readonly children: ReactNode }) => (
  <Modal
    zIndex={ABOVE_ALL}
    opened={useSessionEnded()}
    onClose={() => undefined}
    withCloseButton={false}
    closeOnEscape={false}
    title={texts.session.endedTitle}
  >
    <Stack>{children}</Stack>
  </Modal>
);
