import { Button, Group, Stack, Text } from "@mantine/core";
import { LinkAddress } from "../objects/links/link-address.tsx";
import { PageLink } from "../shared/page-link.tsx";
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
      <LinkAddress shortUrl={shortUrl} />
      <PageLink to={`/links/${id}`}>{words.toLink}</PageLink>
      <Group>
        <Button variant="default" onClick={again}>
          {texts.common.another}
        </Button>
      </Group>
    </Stack>
  );
}
