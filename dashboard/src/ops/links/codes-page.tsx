import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";
import { CodesList } from "./codes-list.tsx";

/** The promotion codes of all partners. */
export function CodesPage() {
  return (
    <Page title={words.navigation.codes} about={words.codes.about}>
      <CodesList />
    </Page>
  );
}
