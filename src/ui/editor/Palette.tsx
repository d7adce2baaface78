import { IconSearch } from "@tabler/icons-react";
import { useStore } from "zustand";
import { KINDS, type KindGroup, type KindSpec } from "../../engine/index.ts";
import { KindIcon } from "../shared/KindIcon.tsx";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Palette.module.css";
import { usePaletteDrag } from "./use-palette-drag.ts";

export const GROUPS: readonly { readonly group: KindGroup; readonly title: string }[] = [
  { group: "sources", title: "Sources" },
  { group: "steps", title: "Steps" },
  { group: "stateful", title: "Stateful" },
  { group: "sinks", title: "Sinks" },
];

/** Every kind of node. A click adds one, joined to the selected node where that can be; a drag puts it where it is let go. */
export function Palette() {
  const { editor } = useWorkbench();
  return (
    <div className={styles.palette}>
      <button
        type="button"
        className={styles.search}
        data-testid="add-node"
        onClick={() => editor.state.setState({ adding: { at: undefined, from: undefined } })}
      >
        <IconSearch size={14} />
        <span>Add a node</span>
        <kbd>Tab</kbd>
      </button>
      <div className={styles.groups}>
        {GROUPS.map(({ group, title }) => (
          <section key={group} aria-label={title}>
            <h3>{title}</h3>
            {KINDS.filter((spec) => spec.group === group).map((spec) => (
              <PaletteItem key={spec.kind} spec={spec} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function PaletteItem({ spec }: { spec: KindSpec }) {
  const { editor, document } = useWorkbench();
  const readOnly = useStore(document, (state) => state.readOnly);
  const startDrag = usePaletteDrag(spec.kind);
  return (
    <button
      type="button"
      className={styles.item}
      title={spec.summary}
      data-testid={`palette-${spec.kind}`}
      disabled={readOnly}
      onPointerDown={startDrag}
      onClick={() => editor.add(spec.kind)}
    >
      <span className={styles.icon}>
        <KindIcon kind={spec.kind} size={14} />
      </span>
      {spec.title}
    </button>
  );
}
