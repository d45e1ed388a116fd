/**
 * The part of the Node.js module that workerd provides and this service uses. The full Node.js types would change the
 * platform's types.
 */
declare module "node:async_hooks" {
  export class AsyncLocalStorage<Store> {
    run<Result>(store: Store, perform: () => Result): Result;
    getStore(): Store | undefined;
  }
}
