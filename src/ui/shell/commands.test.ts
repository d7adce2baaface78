import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Command, commandFor, type KeyContext, matchesKeys, shownKeys } from "./commands.ts";

beforeAll(() => {
  vi.stubGlobal("navigator", { platform: "Linux x86_64" });
  return () => vi.unstubAllGlobals();
});

/** What a browser says of a key; `C` holds Ctrl, `S` Shift, `A` Alt, `M` the command key. */
function press(key: string, held = ""): KeyboardEvent {
  const has = (letter: string) => held.includes(letter);
  return { key, ctrlKey: has("C"), shiftKey: has("S"), altKey: has("A"), metaKey: has("M") } as KeyboardEvent;
}

describe("keys", () => {
  test.each([
    ["Mod+z", "z", "C", true],
    ["Mod+z", "Z", "CS", false],
    ["Mod+Shift+z", "Z", "CS", true],
    ["Mod+z", "z", "M", false],
    ["?", "?", "S", true],
    ["+", "+", "", true],
    ["-", "-", "", true],
    ["c", "C", "S", false],
    ["c", "c", "C", false],
    ["Alt+ArrowLeft", "ArrowLeft", "A", true],
    ["F2", "F2", "", true],
  ])("%s pressed as %s %s: %s", (combination, key, held, matches) => {
    expect(matchesKeys(press(key, held), combination)).toBe(matches);
  });

  test("are shown as they stand on the keyboard", () => {
    expect(shownKeys("Mod+Shift+z")).toEqual(["Ctrl", "Shift", "Z"]);
    expect(shownKeys("+")).toEqual(["+"]);
    expect(shownKeys("Alt+ArrowUp")).toEqual(["Alt", "↑"]);
  });
});

describe("the command of a key", () => {
  const run = () => {};
  const commands: Command[] = [
    { id: "undo", title: "Undo", group: "Edit", keys: ["Mod+z"], whileTyping: true, run },
    { id: "delete", title: "Delete", group: "Edit", keys: ["Backspace"], where: "canvas", run },
    { id: "fit", title: "Fit", group: "Canvas", keys: ["f"], run },
    { id: "add", title: "Add", group: "Canvas", keys: ["Tab"], where: "canvas", run },
    { id: "edit", title: "Edit", group: "Canvas", keys: ["Enter"], where: "canvas", run },
    { id: "run", title: "Run", group: "Run", keys: ["Mod+Enter"], whileTyping: true, run },
    { id: "never", title: "Never", group: "Canvas", keys: ["x"], enabled: () => false, run },
  ];
  const nowhere: KeyContext = { typing: false, dialog: false, canvas: true, control: false, nothing: false };
  const find = (event: KeyboardEvent, where: Partial<KeyContext>) =>
    commandFor(commands, event, { ...nowhere, ...where })?.id;

  test("is not taken from somebody who types, unless it is meant to be", () => {
    expect(find(press("f"), { typing: true })).toBeUndefined();
    expect(find(press("Backspace"), { typing: true })).toBeUndefined();
    expect(find(press("z", "C"), { typing: true })).toBe("undo");
  });

  test("stays on the canvas when it belongs there, and out of dialogs", () => {
    expect(find(press("Backspace"), {})).toBe("delete");
    expect(find(press("Backspace"), { canvas: false })).toBeUndefined();
    expect(find(press("f"), { dialog: true })).toBeUndefined();
  });

  test("leaves to a button over the canvas the keys that press it and leave it", () => {
    expect(find(press("Tab"), {})).toBe("add");
    expect(find(press("Enter"), {})).toBe("edit");
    expect(find(press("Tab"), { control: true })).toBeUndefined();
    expect(find(press("Enter"), { control: true })).toBeUndefined();
    expect(find(press("Backspace"), { control: true })).toBe("delete");
    expect(find(press("f"), { control: true })).toBe("fit");
    expect(find(press("Enter", "C"), { control: true })).toBe("run");
  });

  test("leaves the Tab to the page where nothing has the focus", () => {
    expect(find(press("Tab"), { nothing: true })).toBeUndefined();
    expect(find(press("Backspace"), { nothing: true })).toBe("delete");
  });

  test("that is not possible now is passed over", () => {
    expect(find(press("x"), {})).toBeUndefined();
  });
});
