import { Anchor, Group, Stack, TextInput } from "@mantine/core";
import { QRCodeSVG } from "qrcode.react";
import { useRef, useState } from "react";
import { orderReferencePattern } from "../../api/bodies.ts";
import { Copied } from "../../shared/copy.tsx";
import { savePicture } from "../../shared/save-picture.ts";
import { texts } from "../../texts/index.ts";

const { links: words } = texts;

/** The short address of a link, to copy or to show as a QR code; with an order number, which its payments then carry. */
export function LinkAddress({ shortUrl }: { readonly shortUrl: string }) {
  const [order, setOrder] = useState("");
  const reference = order.trim();
  const isTaken = new RegExp(orderReferencePattern).test(reference);
  const address = isTaken ? `${shortUrl}?client_reference_id=${reference}` : shortUrl;
  const picture = useRef<SVGSVGElement>(null);
  const save = (format: "SVG" | "PNG") => {
    if (picture.current !== null) void savePicture(picture.current, format, `qr-${address.replace(/^.*\//, "").replace(/\?.*$/, "")}`);
  };
  return (
    <Group gap="xl" align="flex-start">
      <Stack gap={4} align="center">
        <QRCodeSVG ref={picture} value={address} size={140} marginSize={2} title={words.qr} style={{ borderRadius: 8 }} />
        <Group gap="xs">
          {(["SVG", "PNG"] as const).map((format) => (
            <Anchor key={format} component="button" type="button" size="xs" aria-label={words.saveQr(format)} onClick={() => save(format)}>
              {format}
            </Anchor>
          ))}
        </Group>
      </Stack>
      <Stack gap="xs" flex="1 1 280px" maw={520}>
        <Copied value={address} what={words.address} />
        <TextInput
          size="xs"
          label={texts.common.reference}
          description={words.orderNumberWhat}
          value={order}
          error={reference !== "" && !isTaken ? words.orderNumberForm : undefined}
          onChange={(event) => setOrder(event.currentTarget.value)}
        />
        <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
          {words.follow}
        </Anchor>
      </Stack>
    </Group>
  );
}
