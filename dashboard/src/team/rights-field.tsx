import { Checkbox, Stack } from "@mantine/core";
import { type Right, useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const RIGHTS = [
  "product_create",
  "balance_view",
  "products_view",
  "payment_read",
  "bank_payment",
  "webhook_config",
  "owner",
] as const satisfies readonly Right[];

interface RightsFieldProps {
  readonly value: readonly Right[];
  readonly onChange: (rights: Right[]) => void;
  /** What the receiver has already, and may keep. */
  readonly before?: readonly Right[];
  /** Rights that the receiver cannot be given. */
  readonly without?: readonly Right[];
}

/** A choice of rights. A person gives only rights of their own, so the others cannot be chosen. */
export function RightsField({ value, onChange, before = [], without = [] }: RightsFieldProps) {
  const { permissions } = useSession();
  return (
    <Checkbox.Group
      label={texts.rights.label}
      value={[...value]}
      onChange={(chosen) => onChange(RIGHTS.filter((right) => chosen.includes(right)))}
    >
      <Stack gap="xs" mt="xs">
        {RIGHTS.map((right) => (
          <Checkbox
            key={right}
            value={right}
            label={texts.rights.name[right]}
            description={texts.rights.about[right]}
            disabled={!before.includes(right) && (!permissions.includes(right) || without.includes(right))}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
