import { Button } from "@mantine/core";
import { useStore } from "zustand";
import { type Batch, CATALOG, type ErrorData, errorLine, type GraphPlace, unpackBatch } from "../../../engine/index.ts";
import { type GraphNode, nodeName, nodeOf } from "../../document/graph.ts";
import { singleOf } from "../../document/selection.ts";
import { useSelectedNode } from "../../inspector/NodePanel.tsx";
import { usePreview } from "../../inspector/use-preview.ts";
import { useWorkbench } from "../../shell/workbench.ts";
import { plural } from "../quantities.ts";
import { EdgeSample, NodeSample } from "./EdgeSample.tsx";
import styles from "./Inspect.module.css";
import { RowsTable } from "./RowsTable.tsx";

const ROWS = 40;

/** The first rows that a node gives, or gets where it gives none. */
export function Preview() {
  const node = useSelectedNode();
  if (node === undefined) return null;
  const place = placeOf(node);
  return (
    <NodeSample node={node.id}>
      <PreviewOf key={`${node.id} ${place.port}`} place={place} />
    </NodeSample>
  );
}

function placeOf({ id, kind, config }: GraphNode): GraphPlace {
  const spec = CATALOG.get(kind);
  if (spec?.role === "sink") return { node: id, side: "in" };
  const parsed = spec?.config.safeParse(config);
  const port = parsed?.success === true ? spec?.outputs(parsed.data)[0]?.name : undefined;
  return { node: id, side: "out", port };
}

/** The first rows that an edge carries. */
export function EdgePreview() {
  const { document, selection } = useWorkbench();
  const id = useStore(selection, (items) => singleOf(items)?.id);
  const edge = useStore(document, (state) => state.graph.edges.find((each) => each.id === id));
  if (edge === undefined) return null;
  const { node, port } = edge.from;
  return (
    <EdgeSample edge={edge.id}>
      <PreviewOf key={edge.id} place={{ node, side: "out", port }} />
    </EdgeSample>
  );
}

function PreviewOf({ place }: { place: GraphPlace }) {
  const { answer, waiting, again } = usePreview(place, ROWS, { feeds: true });
  if (answer === undefined) return waiting ? <p className={styles.bar}>Reading the first rows…</p> : <NoRows />;
  switch (answer.kind) {
    case "foreign-code":
      return (
        <div className={styles.section}>
          <p>A step before it runs a module that nobody has agreed to yet. Run the graph to be asked.</p>
        </div>
      );
    case "refused":
      return answer.problems.length === 0 ? <NoRows /> : <Refused problems={answer.problems} onAgain={again} />;
    case "rows":
      return <FirstRows batches={answer.batches.map(unpackBatch)} notes={answer.notes} onAgain={again} />;
  }
}

const NoRows = () => (
  <div className={styles.section}>
    <p>Nothing comes in yet: connect it, and the first rows are shown here.</p>
  </div>
);

function Refused({ problems, onAgain }: { problems: readonly ErrorData[]; onAgain: () => void }) {
  return (
    <div data-testid="preview-refused">
      {problems.map((problem) => (
        <p key={errorLine(problem)} className={styles.problem}>
          <ProblemNode id={problem.node} />
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

/** Which node it is that cannot give rows. */
function ProblemNode({ id }: { id: string | undefined }) {
  const { document } = useWorkbench();
  const name = useStore(document, ({ graph }) => {
    const node = id === undefined ? undefined : nodeOf(graph, id);
    return node && nodeName(node);
  });
  return name === undefined ? null : <b>{name}: </b>;
}

function FirstRows({
  batches,
  notes,
  onAgain,
}: {
  batches: readonly Batch[];
  notes: readonly ErrorData[];
  onAgain: () => void;
}) {
  const count = batches.reduce((sum, batch) => sum + batch.rowCount, 0);
  return (
    <div data-testid="preview">
      <p className={styles.bar}>
        {count === 0 ? "No rows among the first." : `The first ${plural(Math.min(count, ROWS), "row")}`}
        <Button ml="auto" onClick={onAgain}>
          Read again
        </Button>
      </p>
      {notes.map((note) => (
        <p key={errorLine(note)} className={styles.note}>
          <ProblemNode id={note.node} />
          {errorLine({ ...note, node: undefined })}
        </p>
      ))}
      <RowsTable batches={batches} most={ROWS} />
    </div>
  );
}
