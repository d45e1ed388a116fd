import { Stack, Text } from "@mantine/core";
import { api } from "../api/client.ts";
import { sentenceOf } from "../objects/audit/sentence.ts";
import { AuditChange } from "../shared/audit-change.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Card } from "../shared/page.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { useActorName } from "../shell/actor-name.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

/** So many changes stand on the page of their object; the audit log has all. */
const SHOWN = 10;

/** Who changed an object, for owners: the newest first. Nothing, if it never was. */
export default function Changes({ target }: { readonly target: string }) {
  const isOwner = useMay("owner");
  const nameOf = useActorName();
  const { data } = api.useQuery("get", "/partner/audit", { params: { query: { target, limit: SHOWN } } }, { enabled: isOwner });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Card title={texts.audit.title}>
      <Stack gap="sm">
        {data.data.map((change) => (
          <div key={`${change.at} ${change.action} ${change.request_id}`}>
            <Text size="sm">
              {sentenceOf(change, nameOf)} <span className="dimmed">· </span>
              <MomentText at={change.at} />
            </Text>
            <AuditChange before={change.before} after={change.after} />
          </div>
        ))}
        {data.next !== null && <PageLink to={`/team?tab=audit&target=${encodeURIComponent(target)}`}>{texts.audit.all}</PageLink>}
      </Stack>
    </Card>
  );
}
