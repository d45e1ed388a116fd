/** The converter has no types of its own: this is as much as is used of it, and its answer is parsed. */
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
