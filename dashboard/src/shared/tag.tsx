import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

declare module "react" {
  interface CSSProperties {
    "--status-color"?: string;
  }
}

export type TagColor = "green" | "red" | "blue" | "orange" | "gray" | "accent";

interface TagProps {
  readonly color: TagColor;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** A few words with a tinted background. */
export function Tag({ color, icon, children }: TagProps) {
  return (
    <Badge className="status" color={color} leftSection={icon} style={{ "--status-color": `var(--status-${color})` }}>
      {children}
    </Badge>
  );
}
