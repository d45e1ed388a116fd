import { RouterProvider } from "@tanstack/react-router";
import { setAudience } from "../api/audience.ts";
import { addPagesOfObjects } from "../shared/object-link.tsx";
import { start } from "../shell/start.tsx";
import { operatorsAudience } from "./audience.tsx";
import { router } from "./router.tsx";

setAudience(operatorsAudience);
addPagesOfObjects([/^card_\w+$/, "/products/card/"]);

start(<RouterProvider router={router} />);
