import { Anchor } from "@mantine/core";
import { words } from "../texts.ts";

/** The way to an object's page in the processor's dashboard. */
export const AtProcessor = ({ url }: { readonly url: string }) => (
  <Anchor href={url} target="_blank" rel="noreferrer noopener" size="sm">
    {words.lists.openThere}
  </Anchor>
);
