import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { QRCodeSVG } from "qrcode.react";
import { Copied } from "../shared/copy.tsx";
import { texts } from "../texts/index.ts";

const { links: words } = texts;

interface MadeLinkProps {
  readonly id: string;
  readonly shortUrl: string;
  readonly again: () => void;
}

/** A link that was made: its address to hand over. */
export function MadeLink({ id, shortUrl, again }: MadeLinkProps) {
  return (
    <Stack role="status">
      <Text fw={600}>{words.made}</Text>
      <Group gap="xl" align="flex-start">
        <QRCodeSVG value={shortUrl} size={140} marginSize={2} title={words.qr} style={{ borderRadius: 8 }} />
        <Stack gap="xs">
          <Copied value={shortUrl} what={words.address} />
          <Text size="sm" c="dimmed" maw={460}>
            {words.reference(shortUrl)}
          </Text>
          <Anchor size="sm" renderRoot={(props) => <Link to="/links/$link" params={{ link: id }} {...props} />}>
            {words.toLink}
          </Anchor>
        </Stack>
      </Group>
      <Group>
        <Button variant="default" onClick={again}>
          {words.another}
        </Button>
      </Group>
    </Stack>
  );
}
