import { servicesActions } from "../../../../src/audit/actions.ts";
import { auditLog } from "../../objects/audit/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { texts } from "../../texts/index.ts";
import { words } from "../texts.ts";

const list = auditLog((actor) => actor, { ...texts.audit.did, ...servicesActions });

/** Changes: of one partner, or of all. */
export const AuditList = ({ partner }: { readonly partner?: string }) => (
  <ObjectList
    of={list}
    only={partner === undefined ? undefined : { partner }}
    filters={[
      { kind: "text", name: "actor", label: texts.audit.actor },
      { kind: "text", name: "action", label: words.audit.action },
      { kind: "text", name: "request", label: words.audit.request },
    ]}
  />
);
