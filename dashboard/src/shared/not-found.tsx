import { Box } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { texts } from "../texts/index.ts";
import { Empty } from "./empty.tsx";
import { PageLink } from "./page-link.tsx";

/** What stands at an address without a page; `isAlone`: outside the frame. */
export function NotFound({ isAlone = false }: { readonly isAlone?: boolean }) {
  return (
    <Box component={isAlone ? "main" : "div"}>
      <Empty
        isPage
        icon={SearchIcon}
        title={texts.notFound.title}
        next={texts.notFound.next}
        action={
          <PageLink to="/" size={undefined}>
            {texts.home.title}
          </PageLink>
        }
      />
    </Box>
  );
}
