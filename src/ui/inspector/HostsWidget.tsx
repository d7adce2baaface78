import { NumberInput, SegmentedControl } from "@mantine/core";
import { Frame, fieldTitle, useControl } from "./Field.tsx";
import styles from "./Form.module.css";
import type { FieldProps } from "./form-context.ts";

/** How many workers: chosen by the engine, one for each task, or a number. */
export function HostsWidget(props: FieldProps) {
  const { form, attributes } = useControl(props);
  const { value, path } = props;
  const number = typeof value === "number";
  const choose = (next: string) => {
    form.change(path, next === "number" ? 4 : next);
    form.leave();
  };
  return (
    <Frame title={fieldTitle(props)} path={path} help={props.schema.description} group>
      <SegmentedControl
        fullWidth
        aria-label={fieldTitle(props)}
        data={[
          { value: "auto", label: "auto" },
          { value: "per-task", label: "per task" },
          { value: "number", label: "a number" },
        ]}
        value={number ? "number" : String(value ?? "auto")}
        readOnly={form.readOnly}
        onChange={choose}
      />
      {number && (
        <NumberInput
          data-testid={attributes["data-testid"]}
          className={styles.field ?? ""}
          aria-label="Number of workers"
          value={value}
          min={1}
          max={256}
          allowDecimal={false}
          suffix={value === 1 ? " worker" : " workers"}
          readOnly={form.readOnly}
          onChange={(next) => typeof next === "number" && form.change(path, next)}
          onBlur={form.leave}
        />
      )}
    </Frame>
  );
}
