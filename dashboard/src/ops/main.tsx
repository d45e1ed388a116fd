import { RouterProvider } from "@tanstack/react-router";
import { setAudience } from "../api/audience.ts";
import { setProductPages } from "../shared/object-link.tsx";
import { start } from "../shell/start.tsx";
import { operatorsAudience } from "./audience.tsx";
import { router } from "./router.tsx";

setAudience(operatorsAudience);
setProductPages(/^card_\w+$/, "/products/card/");

start(<RouterProvider router={router} />);
