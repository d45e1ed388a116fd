import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { messageOf, statusOf } from "../api/failure.ts";
import { Copied } from "../shared/copy.tsx";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { Page } from "../shared/page.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { texts } from "../texts/index.ts";

/** The list that a page leads back to. */
export interface Back {
  readonly to: string;
  readonly label: string;
}

interface NotThereProps {
  /** The id or the name of what is asked for. */
  readonly title: string;
  readonly back: Back;
  /** Null while the answer is on its way. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** What stands in place of an object's page while it is not there: it is on its way, unknown, or could not be read. */
export function NotThere({ title, back, error, retry }: NotThereProps) {
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

interface ObjectPageProps {
  readonly back: Back;
  readonly title: string;
  /** Its one state; null where there is none. */
  readonly state: string | null;
  readonly id: string;
  /** What the id is, for its copy button. */
  readonly what: string;
  readonly marks?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The page of one object: its state and its id stand under the title. */
export function ObjectPage({ back, title, state, id, what, marks, actions, children }: ObjectPageProps) {
  return (
    <Page
      back={back}
      title={title}
      about={
        <Group gap="xs">
          {state !== null && <Status status={state} />}
          {marks}
          <Copied value={id} what={what} />
        </Group>
      }
      actions={actions}
    >
      {children}
    </Page>
  );
}
