import { Button, Group } from "@mantine/core";
import { useStore } from "zustand";
import type { Problem } from "../../engine/index.ts";
import { Dialog } from "../shared/Dialog.tsx";
import { placed } from "../shared/deep.ts";
import styles from "./Dialogs.module.css";
import { useWorkbench } from "./workbench.ts";

const MOST = 60;

/** A graph could not be opened: everything that is wrong with it. What was open is as it was. */
export function RefusedDialog() {
  const { view, session } = useWorkbench();
  const refusal = useStore(view, (state) => state.refusal);
  const close = () => view.setState({ refusal: undefined });
  const problems = refusal?.problems ?? [];
  return (
    <Dialog
      opened={refusal !== undefined}
      onClose={close}
      title={`${refusal?.name ?? ""} cannot be opened`}
      size={620}
      testId="refused"
    >
      <ul className={styles.problems}>
        {placed(problems.slice(0, MOST)).map(({ key, value: problem }) => (
          <li key={key} data-code={problem.code}>
            <b>{placeOf(problem)}</b>
            <span>
              {problem.message}
              {problem.hint !== undefined && <small>; {problem.hint}</small>}
            </span>
          </li>
        ))}
      </ul>
      {problems.length > MOST && <p>and {problems.length - MOST} more.</p>}
      <Group justify="flex-end" mt="md">
        {refusal?.repaired !== undefined && (
          <Button
            variant="filled"
            data-testid="open-repaired"
            onClick={() => {
              if (refusal.repaired) void session.openGraph(refusal.repaired);
              close();
            }}
          >
            Repair and open
          </Button>
        )}
        <Button onClick={close}>Close</Button>
      </Group>
    </Dialog>
  );
}

function placeOf({ node, edge, field, line }: Problem): string {
  const parts = [node, edge, field].filter((part) => part !== undefined && part !== "");
  return line === undefined ? parts.join(" · ") : `line ${line}`;
}
