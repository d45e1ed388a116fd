import { systemClock } from "./core/clock.ts";
import { consoleLog, errorFields } from "./core/log.ts";
import { newRequestId } from "./core/request-id.ts";
import { failurePage } from "./http/short-domain/pages.ts";
import { type LinkBindings, linksOf } from "./links-isolate.ts";
import { NO_BRAND } from "./short-links/link-settings.ts";

/** The Worker of the short links. It needs nothing of the API's Worker, and goes on where that one fails. */
export default {
  async fetch(request, bindings, context) {
    try {
      return await linksOf(bindings)(request, context);
    } catch (thrown) {
      const requestId = newRequestId();
      consoleLog(systemClock).with({ request: requestId }).error("the short link cannot be served", errorFields(thrown));
      return failurePage({ request, requestId, brand: NO_BRAND, version: "" });
    }
  },
} satisfies ExportedHandler<LinkBindings>;
