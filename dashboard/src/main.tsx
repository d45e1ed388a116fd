import { RouterProvider } from "@tanstack/react-router";
import { setAudience } from "./api/audience.ts";
import { router } from "./router.tsx";
import { OWN_EVENT, setPagesOfObjects } from "./shared/object-link.tsx";
import { partnersAudience } from "./shell/audience.tsx";
import { start } from "./shell/start.tsx";
import { mendedAddress } from "./sign-in/invitation-address.ts";
import { ownLanguage } from "./texts/own-language.ts";

document.documentElement.lang = ownLanguage();
setAudience(partnersAudience);
setPagesOfObjects([
  [/^(?:pi|cs)_\w+$|^[0-9a-z]{2}[0-9a-f]{30}$/, "/orders/"],
  [/^(?:prod|card)_\w+$/, "/products/"],
  [/^plink_\w+$/, "/links/"],
  [/^sub_\w+$/, "/subscriptions/"],
  [/^promo_\w+$/, "/promotion-codes/"],
  [OWN_EVENT, "/events/"],
]);

const mended = mendedAddress(globalThis.location);
if (mended !== null) globalThis.history.replaceState(null, "", mended);
start(<RouterProvider router={router} />);
