import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";
import { ProductsTable } from "./products-table.tsx";

const { products: own } = words;

/** The products of all partners, in any state. */
export const ProductsPage = () => (
  <Page
    title={own.list}
    about={own.about}
    actions={
      <Button size="xs" variant="default" renderRoot={(props) => <Link to="/import" {...props} />}>
        {own.import}
      </Button>
    }
  >
    <ProductsTable />
  </Page>
);
