/** The code blocks between the comments `tabs` and `/tabs` as tabs, in the generator's own syntax. */
export function withTabs(text: string): string {
  return text.replaceAll("<!-- tabs -->\n", "::: code-group\n").replaceAll("<!-- /tabs -->\n", ":::\n");
}

/** The anchor of a heading: a name such as `INVALID_INPUT` unchanged, other words in lower case with hyphens. */
export function anchorOf(heading: string): string {
  if (/^[\w.]+$/.test(heading) && /[_.]|^[A-Z]+$/.test(heading)) return heading;
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}
