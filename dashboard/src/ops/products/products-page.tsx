import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";
import { ImportButton } from "./import-button.tsx";
import { ProductsTable } from "./products-table.tsx";

const { products: own } = words;

/** The products of all partners, in any state. */
export const ProductsPage = () => (
  <Page title={own.list} about={own.about} actions={<ImportButton />}>
    <ProductsTable />
  </Page>
);
