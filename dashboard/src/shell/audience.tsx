import type { Audience } from "../api/audience.ts";
import { api, client } from "../api/client.ts";
import { callsBase } from "../api/viewed-partner.ts";
import { StoryCard } from "../orders/order-story.tsx";
import { useEnvironmentOf } from "./environment.ts";

const Nothing = () => null;

/** A partner's person, who looks at the partner's own objects. */
export const partnersAudience: Audience = {
  name: "partner",
  client,
  api,
  addressOf: (path) => `${callsBase}${path}`,
  ownerFacts: () => [],
  PartnerLink: Nothing,
  Story: StoryCard,
  Notes: Nothing,
  useEnvironmentOf,
  missingIn: () => null,
};
