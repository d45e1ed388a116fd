import createFetchClient from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import type { Audience } from "../api/audience.ts";
import type { paths } from "../api/schema.d.ts";
import { texts } from "../texts/index.ts";
import { refusals } from "./api/client.ts";
import { operatorsUrl } from "./api/operators-url.ts";
import { operatorsPaths } from "./api/paths.ts";
import { AtProcessor } from "./shared/at-processor.tsx";
import { Notes } from "./shared/notes.tsx";
import { StoryCard } from "./shared/order-story.tsx";
import { PartnerLink } from "./shared/partner-link.tsx";
import { words } from "./texts.ts";

/** The partners' calls, sent to the operators' calls of the same definitions. */
const client = createFetchClient<paths>({
  baseUrl: globalThis.location.origin,
  redirect: "manual",
  fetch: (request) => {
    const asked = new URL(request.url);
    const url = asked.pathname.startsWith("/ops/") ? asked : operatorsUrl(asked, operatorsPaths);
    if (url === null) throw new Error(`operators have no call like ${request.url}`);
    return fetch(new Request(url, request));
  },
});
client.use(refusals);

/** An operator, who looks at the objects of all partners. */
export const operatorsAudience: Audience = {
  name: "operator",
  client,
  api: createQueryClient(client),
  addressOf: (path) => operatorsUrl(new URL(path, globalThis.location.origin), operatorsPaths)?.href ?? path,
  ownerFacts: ({ partner_id = null, environment, processor_url = null }) => [
    [texts.list.partner, <PartnerLink key="partner" id={partner_id} />],
    [words.lists.environment, environment == null ? null : texts.environment[environment]],
    [words.lists.atProcessor, processor_url === null ? null : <AtProcessor key="processor" url={processor_url} />],
  ],
  PartnerLink,
  Story: StoryCard,
  History: Notes,
  useActorName: () => (actor) => actor,
  useMay: () => true,
  useEnvironmentOf: () => undefined,
};
