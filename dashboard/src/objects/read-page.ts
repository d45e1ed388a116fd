interface AnyPage {
  readonly data: readonly unknown[];
  readonly next: string | null;
}

/** So many pages without a row are passed: a page of what no index finds looks at some of the rows. */
const MOST_PASSED = 5;

/** The first page with rows, from the one that `ask` reads without a cursor. @throws what `ask` throws for the first page */
export async function firstWithRows<Page extends AnyPage>(ask: (cursor?: string) => Promise<Page>): Promise<Page> {
  let page = await ask();
  for (let passed = 0; passed < MOST_PASSED && page.data.length === 0 && page.next !== null; passed += 1) {
    // What was passed stays passed: a person can go on from there.
    const next = await ask(page.next).catch(() => null);
    if (next === null) break;
    page = next;
  }
  return page;
}
