import { Tooltip } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
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
  /** What stands in the control is not what the graph has: it is no value. */
  readonly wrong?: boolean;
  /** At the right end of the title's line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A control with its title, help and problems. */
export function Frame({ title, path, help, deep = false, group = false, wrong = false, aside, children }: FrameProps) {
  const form = useForm();
  const id = controlId(form, path);
  const problems = problemsAt(form, path, deep);
  const described = [help !== undefined && `${id}-help`, problems.length > 0 && `${id}-problems`]
    .filter(Boolean)
    .join(" ");
  const frame = useRef<HTMLDivElement>(null);
  useDescribed(frame, group === false ? id : undefined, described, wrong || problems.length > 0);
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
      ref={frame}
      className={styles.field}
      data-problem={problems.length > 0}
      data-holds-fields={group === "fields"}
      {...(group !== false && {
        role: "group",
        "aria-labelledby": `${id}-label`,
        "aria-describedby": described || undefined,
        id,
      })}
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

/**
 * Says to the control of a frame what describes it, and whether it is wrong. On the element itself: the widgets set both of what they
 * show themselves, and drop what they are given.
 */
function useDescribed(
  frame: RefObject<HTMLElement | null>,
  id: string | undefined,
  described: string,
  invalid: boolean,
): void {
  useEffect(() => {
    const control = id === undefined ? null : frame.current?.querySelector(`#${CSS.escape(id)}`);
    if (!control) return;
    if (described === "") control.removeAttribute("aria-describedby");
    else control.setAttribute("aria-describedby", described);
    if (invalid) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  });
}

/** What the control inside a frame is found by. */
export function useControl({ path }: Pick<FieldProps, "path">) {
  const form = useForm();
  return { form, attributes: { id: controlId(form, path), "data-testid": `field-${path.join(".")}` } };
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
