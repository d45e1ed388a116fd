import { TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Card, Page } from "../shared/page.tsx";
import { useSearchTexts } from "../shared/search-texts.ts";
import { texts } from "../texts/index.ts";
import { OrderStory } from "./order-story.tsx";

/** Finds an order by any id, and tells its story. */
export function FindPage() {
  const { q = "" } = useSearchTexts();
  const [typed, setTyped] = useState(q);
  const navigate = useNavigate();
  return (
    <Page title={texts.find.title} about={texts.find.about}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: "/find", search: { q: typed.trim() } });
        }}
      >
        <TextInput
          type="search"
          aria-label={texts.find.title}
          placeholder={texts.palette.placeholder}
          value={typed}
          leftSection={<SearchIcon size={16} aria-hidden />}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      {q !== "" && (
        <Card title={texts.story.of(q)}>
          <OrderStory query={q} />
        </Card>
      )}
    </Page>
  );
}
