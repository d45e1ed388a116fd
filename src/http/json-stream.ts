/** Target chunk size, in characters. */
const CHUNK = 64 * 1024;

/** Streams texts as UTF-8 bytes. `failed` gets an error that occurs while streaming; the client sees a cut response. */
export function streamOf(texts: AsyncGenerator<string, undefined>, failed: (thrown: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      let chunk = "";
      while (chunk.length < CHUNK) {
        const next = await texts.next().catch((thrown: unknown) => {
          failed(thrown);
          throw thrown;
        });
        if (next.done === true) break;
        chunk += next.value;
      }
      if (chunk === "") controller.close();
      else controller.enqueue(encoder.encode(chunk));
    },
  });
}
