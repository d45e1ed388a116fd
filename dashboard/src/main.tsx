import { RouterProvider } from "@tanstack/react-router";
import { router } from "./router.tsx";
import { OWN_EVENT, setPagesOfObjects } from "./shared/object-link.tsx";
import { start } from "./shell/start.tsx";

setPagesOfObjects([
  [/^pi_\w+$/, "/payments/"],
  [/^plink_\w+$/, "/links/"],
  [/^sub_\w+$/, "/subscriptions/"],
  [OWN_EVENT, "/webhooks/deliveries/"],
]);

start(<RouterProvider router={router} />);
