import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { ObjectList } from "../objects/object-list.tsx";
import { promotionCodes } from "../objects/promotion-codes/list.tsx";
import { Page } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { promotionCodes: words } = texts;

/** The promotion codes of an environment. */
export function PromotionCodesPage() {
  const create = useMay("product_create") ? (
    <Button
      size="xs"
      leftSection={<PlusIcon size={14} aria-hidden />}
      renderRoot={(props) => <Link to="/promotion-codes/new" {...props} />}
    >
      {words.create}
    </Button>
  ) : undefined;
  return (
    <Page title={words.title} about={words.about} actions={create}>
      <ObjectList of={promotionCodes} action={create} />
    </Page>
  );
}
