interface TwoLinesProps {
  readonly first: string | null;
  readonly second: string | null;
}

/** A text, and one that says more below it. Both may be long, or missing. */
export function TwoLines({ first, second }: TwoLinesProps) {
  return (
    <>
      <div className={first === null || first === "" ? "dimmed" : "clamped"} title={first ?? undefined}>
        {first === null || first === "" ? "–" : first}
      </div>
      <SecondLine text={second} />
    </>
  );
}

/** What says more of the line above; nothing for a text that is missing. */
export function SecondLine({ text }: { readonly text: string | null }) {
  if (text === null || text === "") return null;
  return (
    <div className="clamped dimmed" title={text}>
      <small>{text}</small>
    </div>
  );
}
