import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { ObjectList } from "../objects/object-list.tsx";
import { rublePayments } from "../objects/ruble-payments/list.tsx";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";

const { rublePayments: words } = texts;

/** The ruble payments of an environment. */
export function RublePaymentsPage() {
  const create = (
    <Button size="xs" leftSection={<PlusIcon size={14} aria-hidden />} renderRoot={(props) => <Link to="/ruble-payments/new" {...props} />}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} about={words.about} actions={create}>
      <ObjectList of={rublePayments} action={create} />
    </Page>
  );
}
