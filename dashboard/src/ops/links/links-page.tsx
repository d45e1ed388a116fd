import { links } from "../../objects/links/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The payment links of all partners. */
export function LinksPage() {
  return (
    <Page title={words.navigation.links} about={words.links.about}>
      <ObjectList of={links} />
    </Page>
  );
}
