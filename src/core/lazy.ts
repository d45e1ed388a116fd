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
