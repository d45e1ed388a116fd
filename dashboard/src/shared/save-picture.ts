/** The side of a saved PNG in pixels: sharp on a poster. */
const SIDE = 1024;

/** Saves a drawn picture as a file. */
export async function savePicture(picture: SVGSVGElement, format: "SVG" | "PNG", name: string): Promise<void> {
  const svg = new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
  const file = format === "SVG" ? svg : await pixelsOf(svg);
  if (file === null) return;
  const address = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = `${name}.${format.toLowerCase()}`;
  anchor.click();
  URL.revokeObjectURL(address);
}

async function pixelsOf(svg: Blob): Promise<Blob | null> {
  const address = URL.createObjectURL(svg);
  const image = new Image(SIDE, SIDE);
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, SIDE, SIDE);
  URL.revokeObjectURL(address);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
