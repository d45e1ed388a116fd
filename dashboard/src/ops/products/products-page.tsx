import { listPage } from "../../objects/list-page.tsx";
import { words } from "../texts.ts";
import { ImportButton } from "./import-button.tsx";
import { products } from "./products-table.tsx";

/** The products of all partners, in any state. */
export const ProductsPage = listPage(products, words.products.about, { action: <ImportButton /> });
