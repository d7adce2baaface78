import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { GraphPlace } from "../../engine/index.ts";
import type { ExpressionEditor } from "./expression-editor.ts";
import { Frame, fieldTitle } from "./Field.tsx";
import styles from "./Form.module.css";
import { controlId, type FieldProps, problemsAt, useForm } from "./form-context.ts";
import { usePreview } from "./use-preview.ts";

const ExpressionValues = lazy(async () => ({ default: (await import("./ExpressionValues.tsx")).ExpressionValues }));
const ROWS = 40;

function Values({ text, place }: { text: string; place: GraphPlace }) {
  const { answer } = usePreview(place, ROWS, { feeds: false });
  return answer === undefined ? null : (
    <Suspense fallback={null}>
      <ExpressionValues text={text} rows={answer} />
    </Suspense>
  );
}

/** An SQL expression. Its editor is loaded when the first one is shown. */
export function ExpressionWidget(props: FieldProps) {
  const form = useForm();
  const { path, value, required, schema } = props;
  const text = typeof value === "string" ? value : "";
  const id = controlId(form, path);
  const invalid = problemsAt(form, path, false).length > 0;
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<ExpressionEditor>();

  const type = (next: string) => form.change(path, next === "" && !required ? undefined : next);
  // The editor outlives this render, what it calls is of the latest.
  const latest = useRef({ type, leave: form.leave });
  useEffect(() => {
    latest.current = { type, leave: form.leave };
  });

  useEffect(() => {
    let made: ExpressionEditor | undefined;
    let gone = false;
    void import("./expression-editor.ts").then(({ createExpressionEditor }) => {
      if (gone || host.current === null) return;
      made = createExpressionEditor(host.current, {
        change: (next) => latest.current.type(next),
        leave: () => latest.current.leave(),
      });
      setEditor(made);
    });
    return () => {
      gone = true;
      made?.destroy();
      setEditor(undefined);
    };
  }, []);

  useEffect(() => editor?.setText(text), [editor, text]);
  useEffect(() => editor?.setSchema(form.input), [editor, form.input]);
  useEffect(
    () =>
      editor?.setAttributes(
        {
          "aria-labelledby": `${id}-label`,
          "aria-describedby": `${id}-help ${id}-problems`,
          "aria-invalid": String(invalid),
          "data-testid": `field-${path.join(".")}`,
        },
        schema.placeholder ?? "",
        form.readOnly,
      ),
    [editor, id, invalid, path, schema.placeholder, form.readOnly],
  );

  return (
    <Frame title={fieldTitle(props)} path={path} help={schema.description} group>
      <div ref={host} className={styles.expression} data-invalid={invalid}>
        {editor === undefined && <pre>{text || schema.placeholder}</pre>}
      </div>
      {text.trim() !== "" && !invalid && form.inputPlace !== undefined && (
        <Values text={text} place={form.inputPlace} />
      )}
    </Frame>
  );
}
