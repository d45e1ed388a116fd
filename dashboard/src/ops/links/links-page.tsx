import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";
import { LinksList } from "./links-list.tsx";

/** The payment links of all partners. */
export function LinksPage() {
  return (
    <Page title={words.navigation.links} about={words.links.about}>
      <LinksList />
    </Page>
  );
}
