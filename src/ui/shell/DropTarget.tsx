import { useEffect, useState } from "react";
import styles from "./Dialogs.module.css";
import { takeFiles } from "./file-actions.ts";
import { useWorkbench } from "./workbench.ts";

/** The whole page takes files. */
export function DropTarget() {
  const workbench = useWorkbench();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      const place = { x: event.clientX, y: event.clientY };
      const onto = document.elementFromPoint(place.x, place.y)?.closest<HTMLElement>("[data-node]")?.dataset["node"];
      const at = workbench.editor.view?.covers(place) === true ? workbench.editor.view.toGraph(place) : undefined;
      void takeFiles(workbench, [...(event.dataTransfer?.files ?? [])], at, onto);
    };
    document.addEventListener("dragenter", enter);
    document.addEventListener("dragover", enter);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragenter", enter);
      document.removeEventListener("dragover", enter);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, [workbench]);
  if (!over) return null;
  return (
    <div className={styles.drop}>
      <span>
        Drop a graph or data
        <small>Data files stay on this machine. Dropped on a file source, they feed it.</small>
      </span>
    </div>
  );
}
