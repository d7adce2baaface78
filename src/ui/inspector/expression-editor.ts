import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { standardKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, linter } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import type { Schema } from "../../engine/index.ts";
import { styleNonce } from "../shared/nonce.ts";
import { completeExpression } from "./expression-completion.ts";
import { expressionLanguage, expressionStyle } from "./expression-language.ts";
import { lintExpression } from "./expression-lint.ts";

export interface ExpressionEditor {
  /** Shows another text, after an undo or a repair; what the person types comes by `change`. */
  setText(text: string): void;
  /** Columns that the expression may name; undefined while they are not known. */
  setSchema(schema: Schema | undefined): void;
  setAttributes(attributes: Readonly<Record<string, string>>, hint: string, readOnly: boolean): void;
  destroy(): void;
}

export interface ExpressionHooks {
  readonly change: (text: string) => void;
  readonly leave: () => void;
}

/**
 * CodeMirror for one expression. It keeps no history: undo is the document's. Tab leaves it, so that it is no trap for the keyboard.
 */
export function createExpressionEditor(parent: HTMLElement, hooks: ExpressionHooks): ExpressionEditor {
  let schema: Schema | undefined;
  let silent = false;
  const dress = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        expressionLanguage,
        syntaxHighlighting(expressionStyle),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [(context) => completeExpression(context, schema)], icons: false }),
        linter((lintedView) => lintExpression(lintedView.state.doc.toString(), schema), { delay: 200 }),
        keymap.of([...completionKeymap, ...closeBracketsKeymap, ...standardKeymap]),
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !silent) hooks.change(update.state.doc.toString());
          if (update.focusChanged && !update.view.hasFocus) hooks.leave();
        }),
        look,
        dress.of([]),
      ],
    }),
  });
  return {
    setText: (text) => {
      const before = view.state.doc.toString();
      if (before === text) return;
      silent = true;
      view.dispatch({ changes: { from: 0, to: before.length, insert: text } });
      silent = false;
    },
    setSchema: (next) => {
      schema = next;
      forceLinting(view);
    },
    setAttributes: (attributes, hint, readOnly) =>
      view.dispatch({
        effects: dress.reconfigure([
          EditorView.contentAttributes.of(attributes),
          placeholder(hint),
          EditorState.readOnly.of(readOnly),
        ]),
      }),
    destroy: () => view.destroy(),
  };
}

const look = EditorView.theme({
  "&": { fontSize: "12px", color: "var(--text)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.5" },
  ".cm-content": { padding: "4px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 9px" },
  ".cm-placeholder": { color: "var(--faint)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-matchingBracket": { backgroundColor: "var(--chip) !important", outline: "none" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--danger)",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-md)",
    backgroundColor: "var(--raised)",
    boxShadow: "var(--shadow-pop)",
    color: "var(--text)",
    fontFamily: "var(--font-sans)",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", maxHeight: "220px" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "2px 9px !important", lineHeight: "1.6" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--hover) !important",
    color: "var(--text) !important",
  },
  ".cm-completionDetail": { marginLeft: "12px", color: "var(--muted)", fontStyle: "normal" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)" },
  ".cm-completionInfo": { maxWidth: "320px", padding: "8px 10px", whiteSpace: "pre-line" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--danger)" },
  ".cm-diagnosticAction": { background: "var(--accent)", color: "var(--accent-ink)" },
});
