/** The converter has no types of its own. This declares only the part that we use; a schema validates its output. */
declare module "openapi-to-postmanv2" {
  const converter: {
    convertV2(
      source: { type: "json"; data: object },
      options: Readonly<Record<string, unknown>>,
      done: (fault: Error | null, outcome: unknown) => void,
    ): void;
  };
  export default converter;
}
