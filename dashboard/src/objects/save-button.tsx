import { Button } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { audience } from "../api/audience.ts";
import { texts } from "../texts/index.ts";
import { fileUrl } from "./list-query.ts";

/** Saves what stands at an address, and leads nowhere: a button, which the space bar presses, too. The Worker makes and names the file. */
export const DownloadButton = ({ href, label = texts.list.save }: { readonly href: string; readonly label?: string | undefined }) => (
  <Button
    component="a"
    role="button"
    href={href}
    download
    onKeyDown={(event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) event.currentTarget.click();
    }}
    size="xs"
    variant="default"
    leftSection={<DownloadIcon size={14} aria-hidden />}
  >
    {label}
  </Button>
);

interface SaveButtonProps {
  /** The list's export, as in its path. */
  readonly file: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly label?: string;
}

/** Saves every row of a query as a file for a spreadsheet of the person's own language. */
export const SaveButton = ({ file, query, label }: SaveButtonProps) => (
  <DownloadButton href={audience().addressOf(fileUrl(file, query, globalThis.navigator.language))} label={label} />
);
