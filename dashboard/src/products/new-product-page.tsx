import { useNavigate } from "@tanstack/react-router";
import { client } from "../api/client.ts";
import { Card, Page } from "../shared/page.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { ProductForm } from "./product-form.tsx";
import { emptyProduct } from "./submission.ts";

const { products: words } = texts;

/** Submits a product for review. */
export function NewProductPage() {
  const { environment } = useEnvironment();
  const navigate = useNavigate();
  return (
    <Page title={words.submit} about={words.newAbout(texts.environment[environment])} back={{ to: "/products", label: words.title }}>
      <Card>
        <ProductForm
          key={environment}
          initial={emptyProduct}
          environment={environment}
          isNew
          send={async (body) => {
            const { data } = await client.POST("/partner/products", { body });
            if (data !== undefined) void navigate({ to: "/products/$product", params: { product: data.product_id } });
          }}
        />
      </Card>
    </Page>
  );
}
