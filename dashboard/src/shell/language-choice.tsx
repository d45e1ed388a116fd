import { Anchor, Group } from "@mantine/core";
import { languageNames, languages } from "../texts/language.ts";
import { chooseLanguage, ownLanguage } from "../texts/own-language.ts";

/** The languages of the pages, of which one can be chosen. */
export function LanguageChoice() {
  const own = ownLanguage();
  return (
    <Group gap="md" component="nav" aria-label={languages.map((one) => languageNames[one]).join(", ")}>
      {languages.map((one) =>
        one === own ? (
          <b key={one} lang={one} aria-current="true">
            {languageNames[one]}
          </b>
        ) : (
          <Anchor key={one} component="button" type="button" size="sm" lang={one} onClick={() => chooseLanguage(one)}>
            {languageNames[one]}
          </Anchor>
        ),
      )}
    </Group>
  );
}
