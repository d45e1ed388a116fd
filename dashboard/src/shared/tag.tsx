import type { ReactNode } from "react";

export type TagColor = "green" | "red" | "blue" | "orange" | "gray" | "accent";

interface TagProps {
  readonly color: TagColor;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** A few words with a tinted background. A page of a list has hundreds, so it is one element. */
export function Tag({ color, icon, children }: TagProps) {
  return (
    <span
      className="tag"
      style={{ ["--tag-back" as string]: `var(--mantine-color-${color}-light)`, ["--tag-text" as string]: `var(--status-${color})` }}
    >
      {icon}
      {children}
    </span>
  );
}
