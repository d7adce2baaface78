import { useState } from "react";
import { useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import { EpochGantt } from "./EpochGantt.tsx";
import styles from "./Epochs.module.css";
import { EpochTable } from "./EpochTable.tsx";
import { useEpochRows } from "./use-epoch-rows.ts";

/** All epochs that are known, and how one of them went, task by task. */
export function Epochs() {
  const shown = useShownRun();
  if (shown === undefined) return <p className={styles.none}>Run the graph to see its checkpoint epochs.</p>;
  return <Tab key={shown.run.plan.fingerprint} shown={shown} />;
}

function Tab({ shown }: { shown: ShownRun }) {
  const rows = useEpochRows(shown);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const shownRow = rows.find(({ epoch }) => epoch === chosen) ?? rows[0];
  return (
    <div className={styles.tab} data-testid="epochs">
      <div>
        <EpochTable rows={rows} selected={shownRow?.epoch} onSelect={setChosen} />
      </div>
      {shownRow && <EpochGantt shown={shown} row={shownRow} />}
    </div>
  );
}
