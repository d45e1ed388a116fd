import { Button, Text } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { useState } from "react";
import { audience } from "../api/audience.ts";
import { messageOf } from "../api/failure.ts";
import type { PageOf } from "../api/paths.ts";
import { saveCsv } from "../shared/csv.ts";
import { useIsHere } from "../shared/is-here.ts";
import { texts } from "../texts/index.ts";
import { readAll } from "./read-all.ts";

/** A file that is cut must not look whole: it says so. */
const BOUNDS = { rows: 100_000, pages: 1_000 };

interface SaveButtonProps<Row> {
  readonly name: string;
  readonly columns: readonly string[] | undefined;
  readonly read: (cursor: string | undefined) => Promise<PageOf<Row>>;
}

/** Saves every row of a list as a file for a spreadsheet, page by page. */
export function SaveButton<Row extends object>({ name, columns, read }: SaveButtonProps<Row>) {
  const [said, setSaid] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isHere = useIsHere();
  const save = async () => {
    setBusy(true);
    setSaid(null);
    try {
      const { rows, isWhole } = await readAll(read, BOUNDS, (count, page) => {
        if (audience().missingIn(page) !== null) throw new Error(texts.list.notWhole);
        setSaid(texts.list.saving(count));
        return isHere.current;
      });
      if (!isHere.current) return;
      saveCsv(`${name}${isWhole ? "" : "-cut"}.csv`, rows, columns);
      setSaid(isWhole ? null : texts.list.tooMany(rows.length));
    } catch (thrown) {
      setSaid(messageOf(thrown));
    }
    setBusy(false);
  };
  return (
    <>
      {said !== null && (
        <Text size="xs" role="status">
          {said}
        </Text>
      )}
      <Button size="xs" variant="default" loading={isBusy} onClick={() => void save()} leftSection={<DownloadIcon size={14} aria-hidden />}>
        {texts.list.save}
      </Button>
    </>
  );
}
