import { RouterProvider } from "@tanstack/react-router";
import { setAudience } from "./api/audience.ts";
import { router } from "./router.tsx";
import { setProductPages } from "./shared/object-link.tsx";
import { partnersAudience } from "./shell/audience.tsx";
import { start } from "./shell/start.tsx";
import { mendedAddress } from "./sign-in/invitation-address.ts";
import { ownLanguage } from "./texts/own-language.ts";

document.documentElement.lang = ownLanguage();
setAudience(partnersAudience);
setProductPages(/^(?:prod|card)_\w+$/, "/products/");

const mended = mendedAddress(globalThis.location);
if (mended !== null) globalThis.history.replaceState(null, "", mended);
start(<RouterProvider router={router} />);
