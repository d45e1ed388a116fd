import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { texts } from "../texts/index.ts";

/** The accent: a blue violet that is read on white and on dark (contrast 4.5 and more in shade 6 and 4). */
const accent: MantineColorsTuple = [
  "#eef0ff",
  "#dcdffb",
  "#b6bcf2",
  "#8f97ea",
  "#6d78e3",
  "#5764df",
  "#4752c9",
  "#3a45b5",
  "#323ca2",
  "#28328f",
];

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 5 },
  colors: { accent },
  defaultRadius: "md",
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: "650" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { underline: "hover" } },
    // The library makes a dialog's title a second banner of the page.
    Modal: {
      defaultProps: {
        centered: true,
        attributes: { header: { role: "presentation" } },
        closeButtonProps: { "aria-label": texts.confirm.close },
      },
    },
  },
});

/** Words of a badge on its tinted background, in both schemes. */
const badges = {
  light: { green: "#146c2e", red: "#a61b1b", blue: "#12559c", orange: "#8a4100", gray: "#343a40", accent: "#28328f" },
  dark: { green: "#b2f2bb", red: "#ffc9c9", blue: "#a5d8ff", orange: "#ffd8a8", gray: "#dee2e6", accent: "#dcdffb" },
};
const badgeVariables = (colors: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(colors).map(([name, color]) => [`--status-${name}`, color]));

/** The same words as titles of notices, which have the same tinted background. */
const noticeVariables = (colors: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(colors)
      .filter(([name]) => name !== "gray")
      .map(([name, color]) => [`--mantine-color-${name}-light-color`, color]),
  );

/** Dimmed text and borders with enough contrast on the page's background. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...badgeVariables(badges.light),
    ...noticeVariables(badges.light),
    "--mantine-color-dimmed": "#5b6270",
    "--mantine-color-placeholder": "#6b7280",
    "--app-background": "#f7f8fa",
    "--app-border": "#e3e6eb",
  },
  dark: {
    ...badgeVariables(badges.dark),
    ...noticeVariables(badges.dark),
    "--mantine-color-dimmed": "#a6adba",
    "--mantine-color-placeholder": "#a0a7b4",
    "--mantine-color-anchor": "#b6bcf2",
    "--app-background": "#16181d",
    "--app-border": "#33373f",
  },
});
