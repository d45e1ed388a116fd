import { api } from "../api/client.ts";
import { Failure } from "../shared/failure.tsx";
import { FiguresCard } from "../shared/figures.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import type { Environment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const DAYS = 30;

/** Thirty days of the partner. */
export default function Figures({ environment }: { readonly environment: Environment }) {
  const { data, error, refetch } = api.useQuery("get", "/partner/figures", { params: { query: { environment, days: DAYS } } });
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  return <FiguresCard data={data} title={texts.figures.title} />;
}
