import { RouterProvider } from "@tanstack/react-router";
import { OWN_EVENT, setPagesOfObjects } from "../shared/object-link.tsx";
import { start } from "../shell/start.tsx";
import { router } from "./router.tsx";

setPagesOfObjects([
  [/^pi_\w+$/, "/payments/"],
  [/^plink_\w+$/, "/links/"],
  [/^sub_\w+$/, "/subscriptions/"],
  [/^promo_\w+$/, "/promotion-codes/"],
  [OWN_EVENT, "/events/"],
  [/^card_\w+$/, "/products/card/"],
]);

start(<RouterProvider router={router} />);
