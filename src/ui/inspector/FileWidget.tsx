import { DATA_ENDINGS, formatOf } from "../document/data-files.ts";
import { chooseFiles, keepFile, pointSourceAt } from "../shell/file-actions.ts";
import { tell } from "../shell/notify.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { type FieldProps, useForm } from "./form-context.ts";
import { PathField, useKnownFiles } from "./PathField.tsx";

/** A data file: one that the document has, or another from this machine, where it stays. */
export function FileWidget(props: FieldProps) {
  const workbench = useWorkbench();
  const form = useForm();
  const known = useKnownFiles();
  const choose = () =>
    chooseFiles(DATA_ENDINGS, ([file]) => {
      const format = file && formatOf(file.name);
      if (file === undefined) return;
      if (format === undefined) tell(`${file.name} is no data that Weir reads (${DATA_ENDINGS.join(", ")})`, "warning");
      else void keepFile(workbench, file, format).then((kept) => pointSourceAt(workbench, form.id, kept));
    });
  return <PathField field={props} known={known} placeholder="data/orders.csv" chooseId="choose-file" choose={choose} />;
}
