import { Button } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { audience } from "../api/audience.ts";
import { texts } from "../texts/index.ts";
import { fileUrl } from "./list-query.ts";

interface SaveButtonProps {
  /** The name of the file, without its ending. */
  readonly name: string;
  /** The list's export, as in its path. */
  readonly file: string;
  readonly query: Readonly<Record<string, string | number>>;
}

/** Saves every row of a list as a file for a spreadsheet of the person's own language. The Worker makes it. */
export function SaveButton({ name, file, query }: SaveButtonProps) {
  return (
    <Button
      component="a"
      href={audience().addressOf(fileUrl(file, query, globalThis.navigator.language))}
      download={`${name}.csv`}
      size="xs"
      variant="default"
      leftSection={<DownloadIcon size={14} aria-hidden />}
    >
      {texts.list.save}
    </Button>
  );
}
