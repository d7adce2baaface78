import { UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { getIn, type Path } from "../shared/deep.ts";
import {
  BooleanControl,
  ChoiceControl,
  JsonControl,
  LiteralControl,
  NumberControl,
  TextControl,
} from "./basic-controls.tsx";
import styles from "./Form.module.css";
import { controlOf, type FieldSchema, unwrapped } from "./field-schema.ts";
import type { FieldProps, FieldsProps } from "./form-context.ts";
import { problemsAt, useForm } from "./form-context.ts";
import { ListControl, ObjectControl, UnionControl } from "./group-controls.tsx";
import { WIDGETS } from "./widgets.ts";

/** The fields of an object, those that a first use does not need behind a button. */
export function SchemaFields({ schema, path, value: given }: FieldsProps) {
  const form = useForm();
  const value = getIn(form.value, path) ?? given;
  const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => field.const === undefined);
  const propsOf = ([name, field]: [string, FieldSchema]): FieldProps => ({
    name,
    path: [...path, name],
    schema: unwrapped(field),
    value: getIn(value, [name]),
    required: schema.required?.includes(name) === true,
  });
  const plain = fields.filter(([, field]) => field.advanced !== true);
  const advanced = fields.filter(([, field]) => field.advanced === true);
  return (
    <>
      {plain.map((entry) => (
        <SchemaField key={entry[0]} {...propsOf(entry)} />
      ))}
      {advanced.length > 0 && (
        <Advanced paths={advanced.map(([name]) => [...path, name])}>
          {advanced.map((entry) => (
            <SchemaField key={entry[0]} {...propsOf(entry)} />
          ))}
        </Advanced>
      )}
    </>
  );
}

function Advanced({ paths, children }: { paths: readonly Path[]; children: ReactNode }) {
  const form = useForm();
  const [asked, setAsked] = useState(false);
  const wrong = paths.some((path) => problemsAt(form, path, true).length > 0);
  const open = asked || wrong;
  return (
    <div className={styles.advanced}>
      <UnstyledButton className={styles.more} aria-expanded={open} onClick={() => setAsked(!asked)}>
        <IconChevronRight size={13} data-open={open} /> More settings
      </UnstyledButton>
      {open && children}
    </div>
  );
}

/** One field by the control that fits it. */
export function SchemaField(props: FieldProps) {
  const control = controlOf(props.schema);
  switch (control.kind) {
    case "widget": {
      const Widget = WIDGETS[control.widget];
      return Widget === undefined ? (
        <SchemaField {...props} schema={{ ...props.schema, widget: undefined }} />
      ) : (
        <Widget {...props} />
      );
    }
    case "text":
      return <TextControl {...props} />;
    case "number":
      return <NumberControl {...props} whole={control.whole} />;
    case "boolean":
      return <BooleanControl {...props} />;
    case "choice":
      return <ChoiceControl {...props} options={control.options} />;
    case "object":
      return <ObjectControl {...props} />;
    case "union":
      return <UnionControl {...props} variants={control.variants} />;
    case "literal":
      return <LiteralControl {...props} />;
    case "list":
      return <ListControl {...props} item={control.item} />;
    case "json":
      return <JsonControl {...props} />;
  }
}
