import { Button } from "@mantine/core";
import { useState } from "react";
import type { ErrorData } from "../../engine/index.ts";
import type { IsolationProblem } from "../engine-client/isolation.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { Banner } from "./Banner.tsx";
import { ForeignCode } from "./ForeignCode.tsx";
import { useRunController, useRunPage, useRunState, useShownRun } from "./run-context.ts";

/** Under the canvas: why a run did not start or failed, and what can be done about it. */
export function RunBanner() {
  const refusal = useRunPage((state) => state.refusal);
  const isolation = useRunPage((state) => state.isolation);
  const accepted = useRunPage((state) => state.labAccepted);
  const foreign = useRunPage((state) => state.foreignCode);
  const shown = useShownRun();
  const error = useRunState((state) => state?.status.outcome?.error);
  if (foreign !== undefined) return <ForeignCode modules={foreign} />;
  if (refusal !== undefined) return <Refusal error={refusal} />;
  if (error !== undefined && shown !== undefined)
    return <Failure key={shown.run.plan.fingerprint + error.message} error={error} />;
  if (isolation !== undefined && !accepted) return <NotIsolated />;
  return null;
}

function Refusal({ error }: { error: ErrorData }) {
  const controller = useRunController();
  return (
    <Banner
      tone="danger"
      testId="run-refused"
      title="The run did not start"
      onClose={() => controller.dismissRefusal()}
    >
      <ErrorLines error={error} />
    </Banner>
  );
}

function Failure({ error }: { error: ErrorData }) {
  const { editor, document } = useWorkbench();
  const [closed, setClosed] = useState(false);
  if (closed) return null;
  const node = document.getState().graph.nodes.find(({ id }) => id === error.node);
  return (
    <Banner
      tone="danger"
      testId="run-failed"
      title={node ? `The run failed at ${node.name ?? node.id}` : "The run failed"}
      onClose={() => setClosed(true)}
      actions={
        node && (
          <Button data-testid="show-failed-node" onClick={() => editor.goTo({ nodes: new Set([node.id]) })}>
            Show {node.name ?? node.id}
          </Button>
        )
      }
    >
      <ErrorLines error={error} />
    </Banner>
  );
}

function ErrorLines({ error }: { error: ErrorData }) {
  const place = [
    error.file !== undefined && !error.message.includes(error.file) ? error.file : undefined,
    error.line === undefined ? undefined : `line ${error.line}`,
    error.row === undefined ? undefined : `row ${error.row}`,
    error.field,
  ].filter((part) => part !== undefined);
  return (
    <>
      <p data-testid="error-message">
        {error.message}
        {place.length > 0 && ` (${place.join(", ")})`}
      </p>
      {error.cause !== undefined && <p>{error.cause}</p>}
      {error.hint !== undefined && <p>{error.hint}</p>}
    </>
  );
}

function NotIsolated() {
  const controller = useRunController();
  const isolation = useRunPage((state) => state.isolation);
  const [closed, setClosed] = useState<IsolationProblem | undefined>(undefined);
  if (isolation === undefined || closed === isolation) return null;
  return (
    <Banner
      tone="warning"
      testId="not-isolated"
      title="Tasks cannot run in parallel here"
      onClose={() => setClosed(isolation)}
      actions={
        <Button data-testid="accept-lab" onClick={() => controller.acceptLab()}>
          Run in the lab
        </Button>
      }
    >
      <p>
        <span data-testid="isolation-reason">{isolation.message}</span> {isolation.hint}
      </p>
      <p>The lab runs the same graph in one worker, on a virtual clock: the same rows.</p>
    </Banner>
  );
}
