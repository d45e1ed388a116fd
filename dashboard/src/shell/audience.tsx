import { lazy, Suspense } from "react";
import type { Audience } from "../api/audience.ts";
import { api, client } from "../api/client.ts";
import { callsBase } from "../api/viewed-partner.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { useActorName } from "./actor-name.ts";
import { useEnvironmentOf } from "./environment.ts";
import { useMay } from "./session.ts";

const Nothing = () => null;

const LazyStory = lazy(async () => ({ default: (await import("../orders/order-story.tsx")).StoryCard }));

/** The story of an order, which only the pages of objects load. */
const Story = (story: { readonly query: string }) => (
  <Suspense fallback={<RowsSkeleton />}>
    <LazyStory {...story} />
  </Suspense>
);

const LazyChanges = lazy(() => import("../team/changes.tsx"));

/** Who changed an object, which only the pages of objects load. */
const History = (object: { readonly target: string }) => (
  <Suspense fallback={null}>
    <LazyChanges {...object} />
  </Suspense>
);

/** A partner's person, who looks at the partner's own objects. */
export const partnersAudience: Audience = {
  name: "partner",
  client,
  api,
  addressOf: (path) => `${callsBase}${path}`,
  ownerFacts: () => [],
  PartnerLink: Nothing,
  Story,
  History,
  useActorName,
  useMay,
  useEnvironmentOf,
};
