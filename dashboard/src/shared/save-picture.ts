/** The side of a saved PNG in pixels: sharp on a poster. */
const SIDE = 1024;

/** Saves a drawn picture as a file. */
export async function savePicture(picture: SVGSVGElement, format: "SVG" | "PNG", name: string): Promise<void> {
  const drawn = new XMLSerializer().serializeToString(picture);
  const file = format === "SVG" ? new Blob([drawn], { type: "image/svg+xml" }) : await pixelsOf(drawn);
  if (file === null) return;
  const address = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = `${name}.${format.toLowerCase()}`;
  anchor.click();
  URL.revokeObjectURL(address);
}

/** The drawing as a PNG. Its address holds it whole: the page's policy lets no picture come from elsewhere. */
async function pixelsOf(drawn: string): Promise<Blob | null> {
  const image = new Image(SIDE, SIDE);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, SIDE, SIDE);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
