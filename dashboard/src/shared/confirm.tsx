import { Alert, Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { messageOf } from "../api/failure.ts";
import { texts } from "../texts/index.ts";

interface ConfirmProps extends ButtonProps {
  readonly label: string;
  readonly title: string;
  /** What will happen, in one or two sentences. */
  readonly consequence: string;
  readonly act: () => Promise<unknown>;
}

/** A button whose act is asked about first. A refusal stays in the question, and the act cannot be done twice. */
export function Confirm({ label, title, consequence, act, ...button }: ConfirmProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await act();
      close();
    } catch (thrown) {
      setFailure(messageOf(thrown));
    }
    setBusy(false);
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        {...button}
        onClick={() => {
          setFailure(null);
          open();
        }}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <Stack>
          <Text size="sm">{consequence}</Text>
          {failure !== null && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {texts.confirm.cancel}
            </Button>
            <Button color={button.color === "red" ? "red.9" : button.color} loading={isBusy} onClick={() => void confirm()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
