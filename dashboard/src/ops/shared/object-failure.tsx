import { messageOf, statusOf } from "../../api/failure.ts";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { Page } from "../../shared/page.tsx";
import { PageSkeleton } from "../../shared/skeletons.tsx";
import { texts } from "../../texts/index.ts";

interface ObjectFailureProps {
  /** What is asked for: its id, or its name. */
  readonly title: string;
  readonly back: { readonly to: string; readonly label: string };
  /** Null while the answer is on its way. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** What stands in place of an object's page while it is not there: it is on its way, unknown, or could not be read. */
export function ObjectFailure({ title, back, error, retry }: ObjectFailureProps) {
  if (error === null) return <PageSkeleton />;
  return (
    <Page title={title} back={back}>
      {statusOf(error) === 404 ? (
        <section className="card">
          <Empty title={texts.notFound.title} next={messageOf(error)} />
        </section>
      ) : (
        <Failure thrown={error} retry={retry} />
      )}
    </Page>
  );
}
