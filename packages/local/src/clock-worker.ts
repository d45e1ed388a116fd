import type { Bindings } from "../../../src/env.ts";
import service from "../../../src/worker.ts";
import { CLOCK_HEADER } from "./clock-header.ts";

export * from "../../../src/worker.ts";

interface LocalBindings extends Bindings {
  readonly LOCAL_CLOCK_SECRET: string;
}

const SystemDate = Date;
let advanced = 0;

/** The time of the machine, and what a test has let pass. */
class AdvancedDate extends SystemDate {
  constructor(...parts: [] | [value: number | string | Date]) {
    const [value = SystemDate.now() + advanced] = parts;
    super(value);
  }

  static override now(): number {
    return SystemDate.now() + advanced;
  }
}

// The Worker takes the time from the global, also where a library asks for it.
Object.assign(globalThis, { Date: AdvancedDate });

/** The Worker as it is deployed, with a clock that a test can advance: so it need not wait for days. */
export default {
  ...service,
  fetch(request, bindings, context) {
    if (request.headers.get(CLOCK_HEADER) === bindings.LOCAL_CLOCK_SECRET) {
      advanced = Number(new URL(request.url).searchParams.get("advanced"));
      return new Response("ok");
    }
    return service.fetch(request, bindings, context);
  },
} satisfies ExportedHandler<LocalBindings>;
