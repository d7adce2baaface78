import { useStore } from "zustand";
import { type GraphEdge, type GraphNode, nodeName, nodeOf } from "../document/graph.ts";
import { routeText } from "../document/route-text.ts";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Form.module.css";

/** The edges of a node: the keyboard's way to them. */
export function NodeLinks({ node, onOpen }: { node: GraphNode; onOpen: (edge: string) => void }) {
  const { document } = useWorkbench();
  const graph = useStore(document, (state) => state.graph);
  const inputs = graph.edges.filter((edge) => edge.to.node === node.id);
  const outputs = graph.edges.filter((edge) => edge.from.node === node.id);
  if (inputs.length + outputs.length === 0) return null;
  const nameOf = (id: string) => {
    const other = nodeOf(graph, id);
    return other === undefined ? id : nodeName(other);
  };
  const link = (edge: GraphEdge, text: string) => (
    <li key={edge.id}>
      <button type="button" className={styles.link} data-testid={`link-${edge.id}`} onClick={() => onOpen(edge.id)}>
        {text}
        <small>{routeText(edge.route)}</small>
      </button>
    </li>
  );
  return (
    <section className={styles.field} aria-label="Edges">
      <div className={styles.title}>
        <span className={styles.label}>Edges</span>
      </div>
      <ul className={styles.links}>
        {inputs.map((edge) => link(edge, `← ${nameOf(edge.from.node)}`))}
        {outputs.map((edge) => link(edge, `→ ${nameOf(edge.to.node)}`))}
      </ul>
    </section>
  );
}
