/** The part of Node's module that workerd has and we use; the types of all of Node would change those of the platform. */
declare module "node:async_hooks" {
  export class AsyncLocalStorage<Store> {
    run<Result>(store: Store, perform: () => Result): Result;
    getStore(): Store | undefined;
  }
}
