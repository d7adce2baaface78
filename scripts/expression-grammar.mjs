// Makes the parser of expressions from src/engine/expressions/expression.grammar.
import { readFile, writeFile } from "node:fs/promises";
import { grammarFiles } from "./lib/grammar.mjs";

const room = new URL("../src/engine/expressions/", import.meta.url);
const { parser, terms } = grammarFiles(await readFile(new URL("expression.grammar", room), "utf8"));
await writeFile(new URL("expression-parser.generated.ts", room), parser);
await writeFile(new URL("expression-terms.generated.ts", room), terms);
console.log("src/engine/expressions/expression-parser.generated.ts and expression-terms.generated.ts are written");
