import { Tooltip } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Problem } from "../../engine/index.ts";
import type { Path } from "../shared/deep.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { applyFix } from "./apply-fix.ts";
import styles from "./Form.module.css";
import { titleOf } from "./field-schema.ts";
import { controlId, type FieldProps, problemsAt, useForm } from "./form-context.ts";

interface FrameProps {
  readonly title: string;
  readonly path: Path;
  readonly help?: string | undefined;
  /** A control of several parts shows the problems of its parts as well. */
  readonly deep?: boolean;
  /** The control has several parts, so the title is no label of one element; `fields` are fields of their own. */
  readonly group?: boolean | "fields";
  /** At the right end of the title's line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A control with its title, help and problems. */
export function Frame({ title, path, help, deep = false, group = false, aside, children }: FrameProps) {
  const form = useForm();
  const id = controlId(form, path);
  const problems = problemsAt(form, path, deep);
  const label =
    group !== false ? (
      <span className={styles.label} id={`${id}-label`}>
        {title}
      </span>
    ) : (
      <label className={styles.label} htmlFor={id} id={`${id}-label`}>
        {title}
      </label>
    );
  return (
    <div
      className={styles.field}
      data-problem={problems.length > 0}
      data-holds-fields={group === "fields"}
      {...(group !== false && { role: "group", "aria-labelledby": `${id}-label`, id })}
    >
      <div className={styles.title}>
        {label}
        {help !== undefined && <Help text={help} id={`${id}-help`} />}
        <span className={styles.aside}>{aside}</span>
      </div>
      {children}
      <div id={`${id}-problems`}>
        {problems.map((problem) => (
          <FieldProblem key={`${problem.code} ${problem.field} ${problem.message}`} problem={problem} />
        ))}
      </div>
    </div>
  );
}

/** ARIA for the control inside a frame. */
export function useControl({ path, schema }: Pick<FieldProps, "path" | "schema">) {
  const form = useForm();
  const id = controlId(form, path);
  const invalid = problemsAt(form, path, false).length > 0;
  return {
    form,
    attributes: {
      id,
      "data-testid": `field-${path.join(".")}`,
      "aria-invalid": invalid || undefined,
      "aria-describedby":
        [schema.description && `${id}-help`, invalid && `${id}-problems`].filter(Boolean).join(" ") || undefined,
    },
  };
}

function Help({ text, id }: { text: string; id: string }) {
  return (
    <>
      <Tooltip label={text} events={{ hover: true, focus: true, touch: true }}>
        <span className={styles.help} aria-hidden="true">
          <IconInfoCircle size={13} />
        </span>
      </Tooltip>
      <span id={id} className="visually-hidden">
        {text}
      </span>
    </>
  );
}

function FieldProblem({ problem }: { problem: Problem }) {
  const workbench = useWorkbench();
  const { fix } = problem;
  return (
    <p className={styles.problem} role="alert">
      {problem.message}
      {problem.hint !== undefined && <span>; {problem.hint}</span>}{" "}
      {fix !== undefined && (
        <button type="button" className={styles.fix} onClick={() => applyFix(workbench, problem)}>
          {fix.title}
        </button>
      )}
    </p>
  );
}

/** The title, as the catalog or the field's name gives it. */
export const fieldTitle = ({ name, schema }: Pick<FieldProps, "name" | "schema">): string => titleOf(name, schema);
