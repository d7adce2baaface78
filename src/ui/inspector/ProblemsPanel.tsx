import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Problem } from "../../engine/index.ts";
import { nodeName, nodeOf } from "../document/graph.ts";
import { placed } from "../shared/deep.ts";
import { useWorkbench, type Workbench } from "../shell/workbench.ts";
import { applyFix } from "./apply-fix.ts";
import styles from "./ProblemsPanel.module.css";

/** How many problems there are, beside the tab's title. */
export function ProblemCount() {
  const { analysis } = useWorkbench();
  const count = useStore(analysis, (state) => shownProblems(state.analysis.problems).length);
  return (
    <span className={styles.count} data-some={count > 0} data-testid="problem-count">
      {count}
    </span>
  );
}

/** That an empty graph cannot run is true and no news. */
const shownProblems = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter((problem) => problem.code !== "empty-graph");

/** Everything that the engine finds wrong; a click leads to the field, a button repairs what can be repaired. */
export function ProblemsPanel() {
  const workbench = useWorkbench();
  const all = useStore(workbench.analysis, (state) => state.analysis.problems);
  const problems = shownProblems(all);
  const readOnly = useStore(workbench.document, (state) => state.readOnly);
  if (all.length > problems.length) return <p className={styles.none}>The graph is empty.</p>;
  if (problems.length === 0) {
    return (
      <p className={styles.none}>
        <IconCircleCheck size={16} /> The graph can run.
      </p>
    );
  }
  return (
    <ul className={styles.list} data-testid="problems">
      {placed(problems).map(({ key, value: problem }) => (
        <li key={key} className={styles.row} data-code={problem.code}>
          <button type="button" className={styles.go} onClick={() => goToProblem(workbench, problem)}>
            <IconAlertTriangle size={14} className={styles.icon} />
            <b>{placeOf(workbench, problem)}</b>
            <span>
              {problem.message}
              {problem.hint !== undefined && <small>; {problem.hint}</small>}
            </span>
          </button>
          {problem.fix !== undefined && (
            <button
              type="button"
              className={styles.fix}
              disabled={readOnly}
              data-testid="fix"
              onClick={() => applyFix(workbench, problem)}
            >
              {problem.fix.title}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function placeOf({ document }: Workbench, { node, edge, field }: Problem): string {
  const { graph } = document.getState();
  if (edge !== undefined) {
    const found = graph.edges.find((each) => each.id === edge);
    const name = (id: string) => {
      const end = nodeOf(graph, id);
      return end === undefined ? id : nodeName(end);
    };
    return found === undefined ? edge : `${name(found.from.node)} → ${name(found.to.node)}`;
  }
  if (node === undefined) return field ?? "graph";
  const found = nodeOf(graph, node);
  const name = found === undefined ? node : nodeName(found);
  return field?.startsWith("config.") ? `${name} · ${field.slice("config.".length)}` : name;
}

/** Shows where the problem is: selects it, brings it into sight, and puts the focus into its field. */
export function goToProblem({ editor, layout, view }: Workbench, { node, edge, field }: Problem): void {
  if (edge !== undefined && editor.graph.edges.some((each) => each.id === edge)) {
    editor.goTo({ edges: new Set([edge]) });
    layout.showInspector("edge");
  } else if (node !== undefined) {
    editor.goTo({ nodes: new Set([node]) });
    layout.showInspector("config");
    if (field !== undefined) view.setState({ focus: { node, field } });
  } else {
    editor.goTo({});
    layout.showInspector("settings");
  }
}
