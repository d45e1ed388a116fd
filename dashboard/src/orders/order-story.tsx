import { api } from "../api/client.ts";
import { messageOf, statusOf } from "../api/failure.ts";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { Card } from "../shared/page.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { Story } from "../shared/story.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

/** The story of an order by any of its ids. */
export function OrderStory({ query }: { readonly query: string }) {
  const { data, error, refetch } = api.useQuery("get", "/partner/story", { params: { query: { q: query } } });
  if (data === undefined) {
    if (statusOf(error) === 404) return <Empty title={texts.find.none} next={messageOf(error)} />;
    return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  }
  return <Story entries={data.data} />;
}

/** The story as a part of an object's page, for a person who may see it. */
export function StoryCard({ query }: { readonly query: string }) {
  if (!useMay("balance_view")) return null;
  return (
    <Card title={texts.story.title}>
      <OrderStory query={query} />
    </Card>
  );
}
