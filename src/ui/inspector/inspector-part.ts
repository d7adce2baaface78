import type { Part } from "../shell/parts.tsx";
import { EdgePanel } from "./EdgePanel.tsx";
import { GraphSettingsPanel } from "./GraphPanel.tsx";
import { NodeConfig } from "./NodePanel.tsx";
import { ManyPanel, NotePanel } from "./OtherPanels.tsx";
import { ProblemCount, ProblemsPanel } from "./ProblemsPanel.tsx";
import { NodeSchema } from "./SchemaPanel.tsx";

export const inspectorPart: Part = {
  id: "inspector",
  inspectorTabs: [
    { id: "config", title: "Config", subjects: ["node"], home: true, Content: NodeConfig },
    { id: "schema", title: "Schema", subjects: ["node"], home: true, Content: NodeSchema },
    { id: "edge", title: "Edge", subjects: ["edge"], home: true, Content: EdgePanel },
    { id: "settings", title: "Graph", subjects: ["graph"], home: true, Content: GraphSettingsPanel },
    { id: "note", title: "Note", subjects: ["note"], home: true, Content: NotePanel },
    { id: "many", title: "Selection", subjects: ["many"], home: true, Content: ManyPanel },
  ],
  drawerTabs: [{ id: "problems", title: "Problems", Badge: ProblemCount, Content: ProblemsPanel }],
};
