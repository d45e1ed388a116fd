/** Texts are gathered into chunks of about this many characters. */
const CHUNK = 64 * 1024;

/** Texts as a stream of bytes. `failed` is told of a fault once the answer is under way: whoever reads it sees it break off. */
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
