import { Anchor } from "@mantine/core";
import { docsParts } from "./docs-parts.ts";

/** A text of the Worker. The pages of docs/ that it names open in another tab. */
export const WithDocs = ({ text }: { readonly text: string }) => (
  <>
    {docsParts(text).map((part, index) =>
      "href" in part ? (
        <Anchor key={part.href} href={part.href} target="_blank" rel="noreferrer" inherit underline="always">
          {part.text}
        </Anchor>
      ) : (
        // The parts of one text do not change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index}>{part.text}</span>
      ),
    )}
  </>
);
