import type { Problem } from "../../engine/index.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { applyFix } from "./apply-fix.ts";
import styles from "./Form.module.css";

/** Problems that belong to no field of the form. */
export function ProblemLines({ problems }: { problems: readonly Problem[] }) {
  const workbench = useWorkbench();
  return problems.map((problem) => (
    <p key={`${problem.code} ${problem.field} ${problem.message}`} className={styles.problem} role="alert">
      {problem.message}
      {problem.hint !== undefined && <span>; {problem.hint}</span>}{" "}
      {problem.fix !== undefined && (
        <button type="button" className={styles.fix} onClick={() => applyFix(workbench, problem)}>
          {problem.fix.title}
        </button>
      )}
    </p>
  ));
}
