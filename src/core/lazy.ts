/**
 * A value that is built on first use and then kept, because few isolates need it. If the build throws, the next use
 * tries again.
 */
export function lazy<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}

/** {@link lazy} for a build that waits, for example for a module. The value is kept, and not the promise. */
export function lazyAsync<T>(build: () => Promise<T>): () => Promise<T> {
  let built: { readonly value: T } | undefined;
  return async () => {
    built ??= { value: await build() };
    return built.value;
  };
}

/** An object whose methods are all asynchronous, by their names. It is opened with the first call of one. */
export function lazyMethods<Methods extends object>(open: () => Promise<Methods>): Methods {
  const opened = lazyAsync(open);
  const methods = new Map<string | symbol, unknown>();
  const methodOf =
    (name: string | symbol) =>
    async (...given: unknown[]): Promise<unknown> => {
      const own = await opened();
      const method: unknown = Reflect.get(own, name);
      if (typeof method !== "function") throw new TypeError(`there is no method ${String(name)}`);
      return Reflect.apply(method, own, given);
    };
  // Every property is a method of the opened object, which waits for it first.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new Proxy({} as Methods, {
    get(_target, name) {
      // A proxy that is awaited must not look like a promise.
      if (name === "then") return undefined;
      const method = methods.get(name) ?? methodOf(name);
      methods.set(name, method);
      return method;
    },
  });
}
