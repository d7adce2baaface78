import { MODULE_ENDINGS } from "../document/data-files.ts";
import { chooseFiles, takeModule } from "../shell/file-actions.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { type FieldProps, useForm } from "./form-context.ts";
import { PathField, useKnownFiles } from "./PathField.tsx";

const isModule = (path: string): boolean => MODULE_ENDINGS.some((ending) => path.endsWith(ending));

/** A WebAssembly module: one that the document has, or another from this machine. */
export function ModuleWidget(props: FieldProps) {
  const workbench = useWorkbench();
  const form = useForm();
  const known = useKnownFiles().filter(isModule);
  const choose = () =>
    chooseFiles(MODULE_ENDINGS, ([file]) => {
      if (file !== undefined) void takeModule(workbench, form.id, file);
    });
  const placeholder = props.schema.placeholder ?? "";
  return <PathField field={props} known={known} placeholder={placeholder} chooseId="choose-module" choose={choose} />;
}
