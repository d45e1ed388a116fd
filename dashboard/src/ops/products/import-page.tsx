import { Alert, Button, FileInput, Group, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { refreshAll } from "../../api/queries.ts";
import { Card, Page } from "../../shared/page.tsx";
import { PageLink } from "../../shared/page-link.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { useSending } from "../../shared/use-sending.ts";
import { texts } from "../../texts/index.ts";
import { send } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

type Report = paths["/ops/imports/products"]["post"]["responses"][200]["content"]["application/json"];
/** A report, and what it is about. */
interface Checked {
  readonly file: File;
  readonly prices: string;
  readonly report: Report;
}

const { import: own } = words;

/** Sends a file to be checked, or to be imported. A file with faults is answered with its report. @throws CallFailure */
async function importFile(file: File, prices: string, isDry: boolean): Promise<Report> {
  const answer = await send(`/ops/imports/products?${new URLSearchParams({ prices, dry_run: String(isDry) })}`, {
    method: "POST",
    headers: { "Content-Type": file.name.endsWith(".json") ? "application/json" : "text/csv" },
    body: file,
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Worker answers what the description says
  return answer as Report;
}

/** Imports products from a file: checked first, with every fault at its line and field, and never in part. */
export function ImportPage() {
  const [file, setFile] = useState<File | null>(null);
  const [prices, setPrices] = useState<string | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const { isBusy, failure, send: begin } = useSending();
  // What is imported is what was checked, whatever was chosen since.
  const run = (sent: Omit<Checked, "report">, isDry: boolean) =>
    begin(async () => {
      setChecked({ ...sent, report: await importFile(sent.file, sent.prices, isDry) });
      if (!isDry) await refreshAll();
    });
  const isChecked = checked?.report.success === true && checked.report.dry_run && !checked.report.imported_before;
  return (
    <Page back={{ to: "/moderation", label: words.moderation.title }} title={own.title} about={own.about}>
      <Card>
        <FileInput
          label={own.file}
          description={own.fileWhat}
          accept=".csv,.txt,.tsv,.json,.ndjson,.jsonl"
          value={file}
          disabled={isBusy}
          clearable
          onChange={(chosen) => {
            setFile(chosen);
            setChecked(null);
          }}
        />
        <Radio.Group
          label={own.prices}
          value={prices}
          onChange={(chosen) => {
            setPrices(chosen);
            setChecked(null);
          }}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="major" disabled={isBusy} label={own.major} description={own.majorWhat} />
            <Radio value="minor" disabled={isBusy} label={own.minor} description={own.minorWhat} />
          </Stack>
        </Radio.Group>
        <Group>
          <Button
            variant={isChecked ? "default" : "filled"}
            disabled={file === null || prices === null}
            loading={isBusy}
            onClick={() => file !== null && prices !== null && void run({ file, prices }, true)}
          >
            {own.check}
          </Button>
          {isChecked && (
            <Button loading={isBusy} onClick={() => void run(checked, false)}>
              {own.run(checked.report.products)}
            </Button>
          )}
        </Group>
        {failure !== null && (
          <Alert color="red" title={texts.failure.title} role="alert">
            {failure}
          </Alert>
        )}
      </Card>
      {checked !== null && <ReportView report={checked.report} />}
    </Page>
  );
}

function ReportView({ report }: { readonly report: Report }) {
  const { imported, imported_before, products, preview, faults } = report;
  return (
    <Stack role="status">
      {imported && (
        <Alert color={imported_before ? "orange" : "green"} title={imported_before ? own.before : own.done(products)}>
          <PageLink to="/moderation">{own.toModeration}</PageLink>
        </Alert>
      )}
      <TableCard
        title={own.faults(faults.length)}
        about={own.faultsWhat}
        rows={faults}
        keyOf={(row) => `${row.line} ${row.field} ${row.message}`}
        columns={[
          { header: own.line, align: "right", cell: (row) => row.line.toLocaleString() },
          { header: texts.requests.field, cell: (row) => <span className="id">{row.field ?? "–"}</span> },
          { header: own.message, cell: (row) => row.message },
        ]}
      />
      {!imported && (
        <TableCard
          title={own.preview}
          about={own.previewWhat}
          rows={preview}
          keyOf={(row) => String(row.line)}
          columns={[
            { header: own.line, align: "right", cell: (row) => row.line.toLocaleString() },
            { header: texts.list.partner, cell: (row) => <PartnerLink id={row.partner_id} /> },
            { header: texts.common.name, cell: (row) => row.name },
            { header: texts.products.price, align: "right", cell: (row) => row.price },
          ]}
        />
      )}
    </Stack>
  );
}
