import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import {
  type Batch,
  CATALOG,
  cell,
  type ErrorData,
  errorLine,
  type PreviewAnswer,
  serializeDocument,
  typeName,
  unpackBatch,
} from "../../../engine/index.ts";
import type { GraphNode } from "../../document/graph.ts";
import { useSelectedNode } from "../../inspector/NodePanel.tsx";
import { useWorkbench } from "../../shell/workbench.ts";
import { cellText } from "../output/cell-view.ts";
import { plural } from "../quantities.ts";
import { useRunController } from "../run-context.ts";
import styles from "./Inspect.module.css";

const ROWS = 40;

/** The first rows of a source, read by the decoder that a run uses. */
export function Preview() {
  const node = useSelectedNode();
  if (node === undefined) return null;
  if (CATALOG.get(node.kind)?.role !== "source") {
    return (
      <div className={styles.section}>
        <p>A preview shows the first rows of a source. What this node makes of them is seen in a run.</p>
      </div>
    );
  }
  return <SourcePreview key={node.id} node={node} />;
}

type Asked = { readonly kind: "waiting" } | { readonly kind: "answered"; readonly answer: PreviewAnswer };

function SourcePreview({ node }: { node: GraphNode }) {
  const controller = useRunController();
  const { document } = useWorkbench();
  const data = useStore(document, (state) => state.graph.data);
  const [asked, setAsked] = useState<Asked>({ kind: "waiting" });
  const [again, setAgain] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew when the source or its data changed, or somebody wants it.
  useEffect(() => {
    let stale = false;
    setAsked({ kind: "waiting" });
    // Somebody who types does not want every letter read.
    const timer = setTimeout(() => {
      void previewOf(controller, node.id).then((answer) => {
        if (!stale) setAsked({ kind: "answered", answer });
      });
    }, 250);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [controller, node.config, node.kind, data, again]);
  if (asked.kind === "waiting") return <p className={styles.bar}>Reading the first rows…</p>;
  const { answer } = asked;
  if (answer.kind === "refused") return <Refused problems={answer.problems} onAgain={() => setAgain(again + 1)} />;
  return <Rows batches={answer.batches.map(unpackBatch)} notes={answer.notes} onAgain={() => setAgain(again + 1)} />;

  async function previewOf(from: typeof controller, id: string): Promise<PreviewAnswer> {
    const files = await from.files();
    return from.client.preview({ document: serializeDocument(document.getState().graph), files, node: id, rows: ROWS });
  }
}

function Refused({ problems, onAgain }: { problems: readonly ErrorData[]; onAgain: () => void }) {
  return (
    <div data-testid="preview-refused">
      {problems.map((problem) => (
        <p key={errorLine(problem)} className={styles.problem}>
          {problem.message}
          {problem.hint !== undefined && <small>{problem.hint}</small>}
        </p>
      ))}
      <p className={styles.bar}>
        <Button onClick={onAgain}>Read again</Button>
      </p>
    </div>
  );
}

function Rows({
  batches,
  notes,
  onAgain,
}: {
  batches: readonly Batch[];
  notes: readonly ErrorData[];
  onAgain: () => void;
}) {
  const fields = batches[0]?.schema.fields ?? [];
  const rows = batches
    .flatMap((batch) => Array.from({ length: batch.rowCount }, (_, row) => ({ batch, row })))
    .slice(0, ROWS);
  const numeric = fields.map(({ type }) => type.kind === "int" || type.kind === "float" || type.kind === "decimal");
  return (
    <div data-testid="preview">
      <p className={styles.bar}>
        {rows.length === 0 ? "The source has no rows." : `The first ${plural(rows.length, "row")}`}
        <Button ml="auto" onClick={onAgain}>
          Read again
        </Button>
      </p>
      {notes.map((note) => (
        <p key={errorLine(note)} className={styles.note}>
          {errorLine(note)}
        </p>
      ))}
      <div className={styles.scroll}>
        <table className={styles.rows}>
          <thead>
            <tr>
              {fields.map(({ name, type }, column) => (
                <th key={name} scope="col" data-numeric={numeric[column]}>
                  {name}
                  <small>{typeName(type)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ batch, row }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name than their place.
              <tr key={index}>
                {batch.columns.map((values, column) => {
                  const value = cell(values, row);
                  return (
                    <td key={fields[column]?.name} data-numeric={numeric[column]} data-null={value === null}>
                      {value === null ? "NULL" : cellText(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
