import { RouterProvider } from "@tanstack/react-router";
import { setAudience } from "../api/audience.ts";
import { OWN_EVENT, setPagesOfObjects } from "../shared/object-link.tsx";
import { start } from "../shell/start.tsx";
import { operatorsAudience } from "./audience.tsx";
import { router } from "./router.tsx";

setAudience(operatorsAudience);
setPagesOfObjects([
  [/^(?:pi|cs)_\w+$|^[0-9a-z]{2}[0-9a-f]{30}$/, "/orders/"],
  [/^plink_\w+$/, "/links/"],
  [/^sub_\w+$/, "/subscriptions/"],
  [/^promo_\w+$/, "/promotion-codes/"],
  [OWN_EVENT, "/events/"],
  [/^card_\w+$/, "/products/card/"],
]);

start(<RouterProvider router={router} />);
