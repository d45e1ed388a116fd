import { notifications } from "@mantine/notifications";
import { texts } from "../texts/index.ts";

/** Says that what a person asked for is done, by the words of its button. */
export const sayDone = (action: string): void => void notifications.show({ color: "green", message: texts.confirm.done(action) });
