import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** A partner's id as a link to its page. */
export function PartnerLink({ id }: { readonly id: string | null }) {
  if (id === null) return <span className="dimmed">–</span>;
  return (
    <Anchor renderRoot={(props) => <Link to="/partners/$partner" params={{ partner: id }} {...props} />} size="sm">
      {id}
    </Anchor>
  );
}
