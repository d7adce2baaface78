import { Button, Menu, Switch } from "@mantine/core";
import { IconChartLine, IconDownload } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useStore } from "zustand";
import type { SinkOutput } from "../../engine-client/sink-output.ts";
import { download } from "../../shell/file-actions.ts";
import { bytes, plural, shortCount, wholeCount } from "../quantities.ts";
import { useOutput, useRunState, useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import { DOWNLOADS, downloadRows } from "./downloads.ts";
import styles from "./Output.module.css";

const OutputGrid = lazy(() => import("./OutputGrid.tsx").then((module) => ({ default: module.OutputGrid })));
const OutputChart = lazy(() => import("./OutputChart.tsx").then((module) => ({ default: module.OutputChart })));

const FILES = "files";

/** What the sinks made visible: rows, and files. */
export function Output() {
  const shown = useShownRun();
  if (shown === undefined) return <p className={styles.none}>Run the graph to see the rows of its sinks.</p>;
  return <Tab key={shown.run.plan.fingerprint} shown={shown} />;
}

function Tab({ shown }: { shown: ShownRun }) {
  const { run } = shown;
  const files = useRunState((state) => state?.files);
  const outputs = [...run.outputs.values()];
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const hasFiles = files !== undefined && files.size > 0;
  const output = run.outputs.get(chosen ?? "") ?? outputs[0];
  const showsFiles = hasFiles && (chosen === FILES || output === undefined);
  if (output === undefined && !hasFiles) {
    return (
      <p className={styles.none}>
        This graph has no sink that shows rows or writes files, or its files are not committed yet.
      </p>
    );
  }
  const pick = (
    <div className={styles.sinks}>
      {outputs.map((each) => (
        <SinkButton
          key={each.node}
          output={each}
          name={shown.model.nodeName(each.node)}
          pressed={!showsFiles && each === output}
          onPick={() => setChosen(each.node)}
        />
      ))}
      {hasFiles && (
        <button type="button" aria-pressed={showsFiles} data-testid="output-files" onClick={() => setChosen(FILES)}>
          Files <small>{files.size}</small>
        </button>
      )}
    </div>
  );
  if (showsFiles) return <Files pick={pick} files={files} />;
  return output === undefined ? null : <SinkRows key={output.node} pick={pick} shown={shown} output={output} />;
}

interface SinkButtonProps {
  readonly output: SinkOutput;
  readonly name: string;
  readonly pressed: boolean;
  readonly onPick: () => void;
}

function SinkButton({ output, name, pressed, onPick }: SinkButtonProps) {
  const { total } = useOutput(output);
  return (
    <button type="button" aria-pressed={pressed} data-testid={`output-${output.node}`} onClick={onPick}>
      {name} <small>{shortCount(total)}</small>
    </button>
  );
}

function SinkRows({ pick, shown, output }: { pick: React.ReactNode; shown: ShownRun; output: SinkOutput }) {
  const { kept, total } = useOutput(output);
  const [follow, setFollow] = useState(false);
  const [chart, setChart] = useState(false);
  const name = shown.model.nodeName(output.node);
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        {pick}
        <span className={styles.count} data-testid="output-count">
          {kept < total ? (
            <>
              the newest <b>{wholeCount(kept)}</b> of <b>{wholeCount(total)}</b> rows
            </>
          ) : (
            <>
              <b>{wholeCount(total)}</b> {total === 1 ? "row" : "rows"}
            </>
          )}
        </span>
        <Switch label="Follow" checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} />
        <Button
          variant={chart ? "light" : "default"}
          aria-pressed={chart}
          leftSection={<IconChartLine size={14} />}
          data-testid="output-chart"
          onClick={() => setChart(!chart)}
        >
          Chart
        </Button>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button leftSection={<IconDownload size={14} />} disabled={total === 0} data-testid="output-download">
              Download
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{plural(kept, "row")}</Menu.Label>
            {DOWNLOADS.map(({ format, title }) => (
              <Menu.Item
                key={format}
                data-testid={`download-${format}`}
                onClick={() => void downloadRows(output, name, format)}
              >
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className={styles.body} data-chart={chart}>
        <Suspense>
          {total === 0 ? <Nothing shown={shown} node={output.node} /> : <OutputGrid output={output} follow={follow} />}
          {chart && <OutputChart output={output} />}
        </Suspense>
      </div>
    </div>
  );
}

/** Why no row is to be seen yet. */
function Nothing({ shown, node }: { shown: ShownRun; node: string }) {
  const over = useRunState((state) => state?.status.outcome !== undefined);
  const stage = shown.model.tasksOf.get(node)?.[0]?.stage;
  const exactly = (stage?.config as { delivery?: string } | undefined)?.delivery === "exactly-once";
  if (over) return <p className={styles.none}>The run is over and the sink showed no rows.</p>;
  return (
    <p className={styles.none}>
      {exactly ? "No rows yet. An exactly-once sink shows them when their epoch is committed." : "No rows yet."}
    </p>
  );
}

function Files({ pick, files }: { pick: React.ReactNode; files: ReadonlyMap<string, Uint8Array> }) {
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        {pick}
        <span className={styles.count}>{plural(files.size, "file")}</span>
      </div>
      <ul className={styles.files}>
        {[...files].map(([path, content]) => (
          <li key={path}>
            <span>{path}</span>
            <small>{bytes(content.length)}</small>
            <Button
              size="compact-xs"
              leftSection={<IconDownload size={12} />}
              onClick={() => download(new Blob([new Uint8Array(content)]), path.slice(path.lastIndexOf("/") + 1))}
            >
              Download
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** All rows that were made visible. */
export function OutputBadge() {
  const shown = useShownRun();
  return shown === undefined ? null : <Total outputs={[...shown.run.outputs.values()]} />;
}

function Total({ outputs }: { outputs: readonly SinkOutput[] }) {
  return outputs.length === 1 ? <OneTotal output={outputs[0] as SinkOutput} /> : null;
}

function OneTotal({ output }: { output: SinkOutput }) {
  const total = useStore(output.state, (state) => state.total);
  return <span className="mono">{wholeCount(total)}</span>;
}
