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

/** Calls without their first argument, which is the same for all of them. */
export type Bound<Of, Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (of: Of, ...given: infer Given) => infer Answer ? (...given: Given) => Answer : never;
};

/** Asynchronous calls by their names, bound to their first argument. Both are there with the first call of one. */
export function lazyCalls<Of, Calls extends object>(open: () => Promise<readonly [of: Of, calls: Calls]>): Bound<Of, Calls> {
  const opened = lazyAsync(open);
  const callOf =
    (name: string | symbol) =>
    async (...given: unknown[]): Promise<unknown> => {
      const [of, calls] = await opened();
      const call: unknown = Reflect.get(calls, name);
      if (typeof call !== "function") throw new TypeError(`there is no call ${String(name)}`);
      return Reflect.apply(call, undefined, [of, ...given]);
    };
  // Every property is one of the opened calls, which waits for them first.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new Proxy({} as Bound<Of, Calls>, {
    // A proxy that is awaited must not look like a promise.
    get: (_target, name) => (name === "then" ? undefined : callOf(name)),
  });
}
