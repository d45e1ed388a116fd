import type { Processor } from "../../src/processor/processor.ts";

/** A processor whose other methods are its own. A spread would lose them: the calls are opened with the first of them. */
export function withMethods(processor: Processor, methods: Partial<Processor>): Processor {
  return new Proxy(processor, {
    get: (own, name) => Reflect.get(Object.hasOwn(methods, name) ? methods : own, name),
  });
}
