import { defineLanguageFacet, HighlightStyle, Language } from "@codemirror/language";
import { styleTags, tags } from "@lezer/highlight";
import { expressionParser } from "../../engine/index.ts";

const parser = expressionParser.configure({
  props: [
    styleTags({
      Keyword: tags.keyword,
      "FunctionName/...": tags.function(tags.variableName),
      "TypeName/...": tags.typeName,
      String: tags.string,
      Number: tags.number,
      Unit: tags.unit,
      LineComment: tags.comment,
      BlockComment: tags.comment,
    }),
  ],
});

/** The engine's own grammar, so that what is coloured is what is run. */
export const expressionLanguage = new Language(defineLanguageFacet(), parser, [], "weir-sql");

export const expressionStyle = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "500" },
  { tag: tags.function(tags.variableName), fontWeight: "600" },
  { tag: [tags.string, tags.number], color: "var(--flow-data)" },
  { tag: [tags.typeName, tags.unit], color: "var(--muted)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
]);
