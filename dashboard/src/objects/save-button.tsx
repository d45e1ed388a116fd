import { Button } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { audience } from "../api/audience.ts";
import { texts } from "../texts/index.ts";
import { fileUrl } from "./list-query.ts";

interface SaveButtonProps {
  /** The list's export, as in its path. */
  readonly file: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly label?: string;
}

/** Saves every row of a query as a file for a spreadsheet of the person's own language. The Worker makes and names it. */
export function SaveButton({ file, query, label = texts.list.save }: SaveButtonProps) {
  return (
    <Button
      component="a"
      href={audience().addressOf(fileUrl(file, query, globalThis.navigator.language))}
      download
      size="xs"
      variant="default"
      leftSection={<DownloadIcon size={14} aria-hidden />}
    >
      {label}
    </Button>
  );
}
