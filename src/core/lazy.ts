/** A value that is built when it is first asked for, and then kept: not each isolate needs it. A build that throws is tried again. */
export function lazy<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
