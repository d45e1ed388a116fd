import { Alert } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";

/** What was refused, in words; nothing without a refusal. It is read aloud at once. */
export const Refusal = ({ text }: { readonly text: string | null }) =>
  text !== null && (
    <Alert color="red" icon={<AlertIcon size={18} aria-hidden />} role="alert">
      {text}
    </Alert>
  );
