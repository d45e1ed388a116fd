import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addressOf } from "./address.ts";

interface PageLinkProps extends AnchorProps {
  /** A page of ours with its filters: `/orders?status=failed`. */
  readonly to: string;
  readonly children: ReactNode;
}

/** A link to a page of ours, in the environment of this one. */
export const PageLink = ({ to, ...anchor }: PageLinkProps) => (
  <Anchor size="sm" renderRoot={(props) => <Link {...addressOf(to)} {...props} />} {...anchor} />
);
