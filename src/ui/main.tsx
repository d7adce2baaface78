import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./shared/tokens.css";
import "./shared/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { editorPart } from "./editor/editor-part.tsx";
import { inspectorPart } from "./inspector/inspector-part.ts";
import { createRunPart } from "./run/run-part.tsx";
import { announceNonce } from "./shared/nonce.ts";
import { addressOf } from "./shell/address.ts";
import type { Part } from "./shell/parts.tsx";
import { shellPart } from "./shell/shell-part.tsx";
import { createWorkbench, openFirst } from "./shell/start.ts";

announceNonce();
const address = addressOf(location);
const workbench = await createWorkbench(address);
await openFirst(workbench, address);
const parts: readonly Part[] = [shellPart, editorPart, createRunPart(workbench), inspectorPart];

const root = document.querySelector("#root");
if (root === null) throw new Error("the page has no #root");
createRoot(root).render(
  <StrictMode>
    <App workbench={workbench} parts={parts} address={address} />
  </StrictMode>,
);
