import { Alert, Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { CallForm } from "../shared/call-form.tsx";
import { type Made, namedOf } from "../shared/confirm.tsx";
import { sayDone } from "../shared/say-done.ts";
import type { Right } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { RightsField } from "./rights-field.tsx";

const { keys: words, people } = texts;

interface PermitProps {
  /** Of the key, or of the person. */
  readonly name: string;
  readonly permissions: readonly Right[];
  /** Rights that it cannot be given. */
  readonly without?: readonly Right[];
  /** `andMade`: also of what it made. It answers what has more than it. */
  readonly save: (permissions: Right[], andMade: boolean) => Promise<Made | undefined>;
}

/** Changes the permissions of a key or a person. If what it made has more, the question goes on with that. */
export function PermitButton(of: PermitProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open} {...namedOf(texts.rights.label, of.name)}>
        {texts.rights.label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.permitTitle(of.name)} size="lg">
        <PermitForm {...of} close={close} />
      </Modal>
    </>
  );
}

/** The present rights, with those that were ticked and without those that were unticked. A colleague's change since then stays. */
const changed = (present: readonly Right[], before: readonly Right[], wanted: readonly Right[]): Right[] => [
  ...present.filter((right) => wanted.includes(right) || !before.includes(right)),
  ...wanted.filter((right) => !before.includes(right) && !present.includes(right)),
];

function PermitForm({ permissions: present, without = [], save, close }: PermitProps & { readonly close: () => void }) {
  const [before] = useState(present);
  const [permissions, setPermissions] = useState<Right[]>([...before]);
  const [beyond, setBeyond] = useState<Made | null>(null);
  const send = async () => {
    const made = await save(changed(present, before, permissions), beyond !== null);
    if (beyond === null && made !== undefined && made.keys.length + made.people.length > 0) setBeyond(made);
    else {
      close();
      sayDone(words.permitAction);
    }
  };
  return (
    <CallForm isQuiet action={beyond === null ? words.permitAction : people.narrowMade} send={send}>
      {beyond !== null && <Alert color="orange">{people.beyond(beyond.keys.length, beyond.people.length)}</Alert>}
      <RightsField value={permissions} onChange={setPermissions} before={before} without={without} />
    </CallForm>
  );
}
