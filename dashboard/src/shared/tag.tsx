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
    <span className="tag" data-color={color}>
      {icon}
      {children}
    </span>
  );
}
