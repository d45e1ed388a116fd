import { ObjectList } from "../../objects/object-list.tsx";
import { promotionCodes } from "../../objects/promotion-codes/list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The promotion codes of all partners. */
export function CodesPage() {
  return (
    <Page title={words.navigation.codes} about={words.codes.about}>
      <ObjectList of={promotionCodes} />
    </Page>
  );
}
