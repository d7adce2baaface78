import { type RefObject, useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import { CATALOG } from "../../engine/index.ts";
import { nodeName } from "../document/graph.ts";
import { countOf, singleOf } from "../document/selection.ts";
import { KindIcon } from "../shared/KindIcon.tsx";
import { SoonAfter } from "../shared/SoonAfter.tsx";
import styles from "./Inspector.module.css";
import { type InspectorSubject, useParts } from "./parts.tsx";
import { Tabs } from "./Tabs.tsx";
import { useWorkbench } from "./workbench.ts";

/** The right panel: what is selected, else the graph as a whole, under the tabs that fit it. */
export function Inspector() {
  const { layout } = useWorkbench();
  const chosen = useStore(layout, (state) => state.inspectorTab);
  const subject = useSubject();
  const panel = useRef<HTMLDivElement>(null);
  const tabs = useParts()
    .flatMap((part) => part.inspectorTabs ?? [])
    .filter((tab) => tab.subjects.includes(subject));
  tabs.sort((a, b) => Number(b.home ?? false) - Number(a.home ?? false));
  const tab = tabs.find((each) => each.id === chosen) ?? tabs[0];
  useReadFromTop(panel, tab?.id);
  return (
    <>
      <Tabs label="Inspector" name="inspector" items={tabs} selected={tab?.id} onSelect={layout.showInspector} />
      <Heading subject={subject} />
      {tab && (
        <div
          ref={panel}
          role="tabpanel"
          id="inspector-panel"
          aria-labelledby={`inspector-tab-${tab.id}`}
          className={styles.content}
        >
          <SoonAfter>
            <tab.Content />
          </SoonAfter>
        </div>
      )}
    </>
  );
}

/** What is about something else begins at its beginning. */
function useReadFromTop(panel: RefObject<HTMLElement | null>, tab: string | undefined): void {
  const { selection } = useWorkbench();
  const id = useStore(selection, (items) => singleOf(items)?.id);
  const about = `${tab} ${id}`;
  const before = useRef(about);
  useLayoutEffect(() => {
    if (before.current === about) return;
    before.current = about;
    if (panel.current !== null) panel.current.scrollTop = 0;
  }, [panel, about]);
}

function useSubject(): InspectorSubject {
  const { selection } = useWorkbench();
  return useStore(selection, (items) => {
    const single = singleOf(items);
    if (single !== undefined) return single.kind;
    return countOf(items) === 0 ? "graph" : "many";
  });
}

/** What the panel is about. */
function Heading({ subject }: { subject: InspectorSubject }) {
  const { document, selection } = useWorkbench();
  const graph = useStore(document, (state) => state.graph);
  const items = useStore(selection);
  const id = singleOf(items)?.id;
  if (subject === "node") {
    const node = graph.nodes.find((each) => each.id === id);
    if (node === undefined) return null;
    const spec = CATALOG.get(node.kind);
    return (
      <header className={styles.heading}>
        <span className={styles.icon}>
          <KindIcon kind={node.kind} size={16} />
        </span>
        <div>
          <h2>{nodeName(node)}</h2>
          <p>{spec?.title ?? node.kind}</p>
        </div>
      </header>
    );
  }
  if (subject === "edge") {
    const edge = graph.edges.find((each) => each.id === id);
    const name = (end: string) => {
      const node = graph.nodes.find((each) => each.id === end);
      return node === undefined ? end : nodeName(node);
    };
    return (
      <header className={styles.heading}>
        <h2>{edge === undefined ? "" : `${name(edge.from.node)} → ${name(edge.to.node)}`}</h2>
      </header>
    );
  }
  if (subject === "many") {
    return (
      <header className={styles.heading}>
        <h2>{countOf(items)} selected</h2>
      </header>
    );
  }
  if (subject === "note") return null;
  return (
    <header className={styles.heading}>
      <div>
        <h2>{graph.name}</h2>
        <p>
          {graph.nodes.length} {graph.nodes.length === 1 ? "node" : "nodes"}, {graph.edges.length}{" "}
          {graph.edges.length === 1 ? "edge" : "edges"}
        </p>
      </div>
    </header>
  );
}
