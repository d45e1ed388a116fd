import { Anchor, Box } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { texts } from "../texts/index.ts";
import { Empty } from "./empty.tsx";

/** What stands at an address without a page; `isAlone`: outside the frame. */
export function NotFound({ isAlone = false }: { readonly isAlone?: boolean }) {
  return (
    <Box component={isAlone ? "main" : "div"}>
      <Empty
        isPage
        icon={SearchIcon}
        title={texts.notFound.title}
        next={texts.notFound.next}
        action={<Anchor renderRoot={(props) => <Link to="/" {...props} />}>{texts.home.title}</Anchor>}
      />
    </Box>
  );
}
