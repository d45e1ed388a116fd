import { CodeDetail } from "../../objects/promotion-codes/detail.tsx";
import { Action } from "../calls/action.tsx";
import { StoryCard } from "../shared/order-story.tsx";
import { words } from "../texts.ts";

/** One promotion code, with the one thing that can be done about it. */
export const CodePage = () => (
  <CodeDetail
    actions={({ promotion_code_id: code, state }) =>
      state === "active" ? (
        <Action call="promotion-codes deactivate" given={{ code }} label={words.codes.deactivate} color="red" />
      ) : undefined
    }
  >
    {({ promotion_code_id: code }) => <StoryCard query={code} />}
  </CodeDetail>
);
