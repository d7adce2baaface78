/** Everything that the page can be told to do: one list for the keyboard, the command list and the keyboard help. */

export type CommandGroup = "Graph" | "Edit" | "Canvas" | "Run" | "Panels" | "Help";

export interface Command {
  /** Kebab-case and stable: `undo`, `add-node`. */
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  /** `Mod+Shift+z`, `F2`, `?`: Mod is ⌘ on a Mac and Ctrl elsewhere. The first is the one that is shown. */
  readonly keys?: readonly string[];
  /** Where the focus has to be for the keys to count: anywhere (default), or on the canvas. */
  readonly where?: "anywhere" | "canvas";
  /** Whether the keys count while somebody types into a field or looks at a dialog. */
  readonly whileTyping?: boolean;
  /** Left out of the command list, which could not do it (it is about the pointer or the focus). */
  readonly helpOnly?: boolean;
  readonly enabled?: () => boolean;
  readonly run: () => void;
}

const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

/** Whether the pressed key is the combination. Letters compare without case; Shift counts only where it is named or a letter is meant. */
export function matchesKeys(event: KeyboardEvent, combination: string): boolean {
  const parts = partsOf(combination);
  const key = parts.at(-1) as string;
  const named = (modifier: string) => parts.slice(0, -1).includes(modifier);
  const mod = isMac() ? event.metaKey : event.ctrlKey;
  const other = isMac() ? event.ctrlKey : event.metaKey;
  if (mod !== named("Mod") || other || event.altKey !== named("Alt")) return false;
  const symbol = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  if (!symbol && event.shiftKey !== named("Shift")) return false;
  return event.key.toLowerCase() === key.toLowerCase();
}

/** `Mod+Shift+z` in its parts; a plus sign at the end is itself the key. */
const partsOf = (combination: string): string[] => (combination === "+" ? ["+"] : combination.split("+"));

const SHOWN: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Delete: "Del",
};

/** The parts of a combination as a keyboard names them: `["⌘", "Z"]`. */
export function shownKeys(combination: string): string[] {
  const mac = isMac();
  return partsOf(combination).map((part) => {
    if (part === "Mod") return mac ? "⌘" : "Ctrl";
    if (part === "Shift") return mac ? "⇧" : "Shift";
    if (part === "Alt") return mac ? "⌥" : "Alt";
    return SHOWN[part] ?? (part.length === 1 ? part.toUpperCase() : part);
  });
}

/** Whether keys typed into the element are text. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('[contenteditable="true"], textarea, select, [role="combobox"]') !== null) return true;
  const input = target.closest("input");
  return input !== null && !["button", "checkbox", "radio", "range", "submit"].includes(input.type);
}

export interface KeyContext {
  readonly typing: boolean;
  readonly dialog: boolean;
  readonly canvas: boolean;
  /** A button or the like has the focus, to which the keys belong that press it and leave it. */
  readonly control: boolean;
  /** Nothing has the focus: the key that gives it to the first of all controls does that. */
  readonly nothing: boolean;
}

/** Keys by which a control is pressed and left. */
const CONTROL_KEYS = ["Enter", " ", "Tab"];

function isTaken({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, { control, nothing }: KeyContext): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  return (control && CONTROL_KEYS.includes(key)) || (nothing && key === "Tab");
}

/** The command that the key means in this place, if any. */
export function commandFor(
  commands: readonly Command[],
  event: KeyboardEvent,
  context: KeyContext,
): Command | undefined {
  if (isTaken(event, context)) return undefined;
  return commands.find(
    (command) =>
      command.keys?.some((keys) => matchesKeys(event, keys)) === true &&
      (command.whileTyping === true || !(context.typing || context.dialog)) &&
      (command.where !== "canvas" || context.canvas) &&
      (command.enabled?.() ?? true),
  );
}
