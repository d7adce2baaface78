import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

/** Mantine wants ten shades; the page itself uses the tokens of tokens.css, which the resolver below puts in their place. */
const accent: MantineColorsTuple = [
  "#e6f7f4",
  "#cdeee9",
  "#a3dfd6",
  "#76cfc2",
  "#4cc2b0",
  "#2ba896",
  "#0c8f7d",
  "#0a7a6b",
  "#07665a",
  "#045249",
];

const dark: MantineColorsTuple = [
  "#dce4ee",
  "#b6c1cf",
  "#8f9cb0",
  "#7f8ca0",
  "#2f3b4b",
  "#232d3a",
  "#0f151d",
  "#131922",
  "#0d1117",
  "#0a0e13",
];

const gray: MantineColorsTuple = [
  "#f6f8fa",
  "#eef1f5",
  "#e3e8ee",
  "#d8dfe7",
  "#cfd7e0",
  "#aab6c4",
  "#647284",
  "#566476",
  "#37445a",
  "#18212c",
];

/** The accent is light in the dark theme, so what is written on it is dark there. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const accented = input.variant === "filled" && (input.color === undefined || input.color === "accent");
  return accented ? { ...colors, color: "var(--accent-ink)" } : colors;
};

export const theme = createTheme({
  variantColorResolver: variantColors,
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 4 },
  colors: { accent, dark, gray },
  fontFamily: "var(--font-sans)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "11.5px", sm: "13px", md: "13px", lg: "15px", xl: "18px" },
  radius: { xs: "3px", sm: "4px", md: "6px", lg: "10px", xl: "14px" },
  defaultRadius: "md",
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 28 } },
    Button: { defaultProps: { variant: "default", size: "xs", fw: 500 } },
    Checkbox: { defaultProps: { size: "xs" } },
    Menu: { defaultProps: { shadow: "md", offset: 6, transitionProps: { duration: 80 } } },
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.5 }, transitionProps: { duration: 100 } },
    },
    MultiSelect: { defaultProps: { size: "xs" } },
    NumberInput: { defaultProps: { size: "xs" } },
    Popover: { defaultProps: { shadow: "md", transitionProps: { duration: 80 } } },
    SegmentedControl: { defaultProps: { size: "xs" } },
    Select: { defaultProps: { size: "xs" } },
    Switch: { defaultProps: { size: "xs" } },
    TagsInput: { defaultProps: { size: "xs" } },
    Textarea: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "xs" } },
    Tooltip: {
      defaultProps: { openDelay: 350, withArrow: false, multiline: true, maw: 320, transitionProps: { duration: 80 } },
    },
  },
});

const TOKENS: Readonly<Record<string, string>> = {
  "--mantine-color-body": "var(--panel)",
  "--mantine-color-text": "var(--text)",
  "--mantine-color-bright": "var(--text)",
  "--mantine-color-dimmed": "var(--muted)",
  "--mantine-color-placeholder": "var(--faint)",
  "--mantine-color-default": "var(--raised)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-color-default-color": "var(--text)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-error": "var(--danger)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-disabled": "var(--hover)",
  "--mantine-color-disabled-color": "var(--faint)",
  "--mantine-color-disabled-border": "var(--line)",
  "--mantine-color-gray-light-color": "var(--muted)",
  "--mantine-color-gray-light-hover": "var(--hover)",
  "--mantine-primary-color-filled": "var(--accent)",
  "--mantine-primary-color-contrast": "var(--accent-ink)",
  "--mantine-color-accent-filled": "var(--accent)",
  "--mantine-color-accent-filled-hover": "color-mix(in srgb, var(--accent) 88%, var(--text))",
  "--mantine-color-accent-light": "var(--accent-soft)",
  "--mantine-color-accent-light-hover": "var(--accent-soft)",
  "--mantine-color-accent-light-color": "var(--accent)",
  "--mantine-color-accent-outline": "var(--accent)",
  "--mantine-shadow-md": "var(--shadow-pop)",
  "--mantine-shadow-xl": "var(--shadow-pop)",
};

/** Makes every widget speak the page's tokens, so that one file decides about both themes. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: { ...TOKENS }, dark: { ...TOKENS } });
