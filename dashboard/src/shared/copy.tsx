import { ActionIcon, CopyButton, Group, Text, Tooltip } from "@mantine/core";
import { CheckIcon, CopyIcon } from "@primer/octicons-react";
import { texts } from "../texts/index.ts";

/** A button that copies a text. `what` names it for people who do not see it. */
export function Copy({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? texts.copy.done : texts.copy.label(what)}>
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={copied ? texts.copy.done : texts.copy.label(what)}>
            {copied ? <CheckIcon size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** An id or another text to copy. */
export function Copied({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text span className="id">
        {value}
      </Text>
      <Copy value={value} what={what} />
    </Group>
  );
}
