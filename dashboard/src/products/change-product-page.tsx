import { useNavigate } from "@tanstack/react-router";
import { api, client } from "../api/client.ts";
import { NotThere } from "../objects/object-page.tsx";
import { Card, Page } from "../shared/page.tsx";
import { useIdInPath } from "../shared/search-texts.ts";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { ProductForm } from "./product-form.tsx";
import { typedProduct } from "./submission.ts";

const { products: words } = texts;
const BACK = { to: "/products", label: words.title };

/** Changes a product that waits or was rejected, and submits it again. */
export function ChangeProductPage() {
  const product = useIdInPath("product");
  const { environment } = useEnvironment();
  const navigate = useNavigate();
  const path = { params: { path: { product } } };
  const { data, error, refetch } = api.useQuery("get", "/partner/products/{product}", path);
  if (data === undefined) return <NotThere title={product} back={BACK} error={error} retry={() => void refetch()} />;
  return (
    <Page title={words.changeTitle(data.name)} about={words.changeAbout} back={{ to: `/products/${product}`, label: data.name }}>
      <Card>
        <ProductForm
          initial={typedProduct(data)}
          environment={data.environment ?? environment}
          isNew={false}
          send={async (body) => {
            await client.PUT("/partner/products/{product}", { ...path, body });
            void navigate({ to: "/products/$product", params: { product } });
          }}
        />
      </Card>
    </Page>
  );
}
