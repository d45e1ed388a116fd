import { Alert, Button, Group, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { CallFailure, messageOf } from "../api/failure.ts";
import { texts } from "../texts/index.ts";

/** A refused or failed call in words, with what support needs, and a way to try again. */
export function Failure({ thrown, retry }: { readonly thrown: unknown; readonly retry?: (() => void) | undefined }) {
  const requestId = thrown instanceof CallFailure && thrown.status >= 500 ? thrown.requestId : null;
  return (
    <Alert color="red" icon={<AlertIcon size={18} aria-hidden />} title={texts.failure.title} role="alert">
      <Text size="sm">{messageOf(thrown)}</Text>
      {requestId !== null && (
        <Text size="xs" mt={4}>
          {texts.failure.quote} <span className="id">{requestId}</span>
        </Text>
      )}
      {retry !== undefined && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            {texts.failure.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
