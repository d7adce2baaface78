import type { ComponentType } from "react";
import { ColumnMapWidget, ColumnsWidget, ColumnWidget, TextListWidget } from "./column-widgets.tsx";
import { ExpressionWidget } from "./ExpressionWidget.tsx";
import { FileWidget } from "./FileWidget.tsx";
import type { FieldProps } from "./form-context.ts";
import { ModuleWidget } from "./ModuleWidget.tsx";
import { RowsWidget } from "./RowsWidget.tsx";
import { SchemaWidget } from "./SchemaWidget.tsx";

/** Controls by the name that the catalog gives a field; a name that is not here is drawn from the field's type. */
export const WIDGETS: Readonly<Record<string, ComponentType<FieldProps>>> = {
  column: ColumnWidget,
  columns: ColumnsWidget,
  "column-map": ColumnMapWidget,
  "text-list": TextListWidget,
  schema: SchemaWidget,
  rows: RowsWidget,
  file: FileWidget,
  module: ModuleWidget,
  expression: ExpressionWidget,
};
