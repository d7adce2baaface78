import { Select } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { SinkOutput } from "../../engine-client/sink-output.ts";
import { onPaletteChange, palette } from "../canvas/palette.ts";
import { plural, shortCount } from "../quantities.ts";
import { useOutput } from "../run-context.ts";
import { type ChartData, chartData, isNumber, isTime } from "./chart-data.ts";
import styles from "./Output.module.css";
import { timeTicks } from "./time-ticks.ts";

const IN_ORDER = "(in order)";

/** One column of the kept rows against another, or against their order. */
export function OutputChart({ output }: { output: SinkOutput }) {
  const { fields } = output.schema;
  const numbers = fields.filter(isNumber).map(({ name }) => name);
  const [y, setY] = useState(numbers.at(-1));
  const [x, setX] = useState(() => (fields.find(isTime) ?? fields.find((field) => !isNumber(field)))?.name ?? IN_ORDER);
  if (y === undefined) return <p className={styles.none}>No column holds numbers.</p>;
  return (
    <div className={styles.chart} data-testid="chart">
      <div className={styles.axes}>
        <Select
          aria-label="Column upwards"
          data={numbers}
          value={y}
          allowDeselect={false}
          onChange={(value) => setY(value ?? y)}
          w={130}
        />
        by
        <Select
          aria-label="Column across"
          data={[IN_ORDER, ...fields.map(({ name }) => name).filter((name) => name !== y)]}
          value={x}
          allowDeselect={false}
          onChange={(value) => setX(value ?? IN_ORDER)}
          w={130}
        />
      </div>
      <Plot output={output} x={x === IN_ORDER ? undefined : x} y={y} />
    </div>
  );
}

function Plot({ output, x, y }: { output: SinkOutput; x: string | undefined; y: string }) {
  const { total } = useOutput(output);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows are other points.
  const data = useMemo(() => chartData(output, x, y), [output, x, y, total]);
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef(data);
  latest.current = data;
  const shape = `${x} ${y} ${data.repeats} ${data.names?.join("\u0000") ?? ""}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape is what a plot is made for; data come by setData.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const make = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsFor(latest.current, y, element), alignedOf(latest.current), element);
    };
    make();
    const size = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: element.clientHeight - 4 }),
    );
    size.observe(element);
    const stop = onPaletteChange(make);
    return () => {
      stop();
      size.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [shape, y]);
  useEffect(() => plot.current?.setData(alignedOf(data)), [data]);
  return (
    <>
      {data.left > 0 && <p className={styles.axes}>of the newest {plural(data.x.length, "row")}</p>}
      <div
        ref={box}
        className={styles.plot}
        role="img"
        aria-label={`${y} by ${x ?? "row"}, ${plural(data.x.length, "point")}`}
      />
    </>
  );
}

const alignedOf = ({ x, y }: ChartData): uPlot.AlignedData => [x, y];

function optionsFor(data: ChartData, name: string, box: HTMLElement): uPlot.Options {
  const colours = palette();
  const axis = {
    stroke: colours.muted,
    font: `11px ${colours.sans}`,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1 },
  };
  const bars = data.names === undefined ? undefined : uPlot.paths.bars?.({ size: [0.7, 60] });
  return {
    width: box.clientWidth,
    height: box.clientHeight - 4,
    legend: { show: false },
    ms: 1,
    tzDate: (ms) => uPlot.tzDate(new Date(ms), "Etc/UTC"),
    scales: { x: { time: data.time, ...(data.names === undefined ? {} : { range: [-0.5, data.names.length - 0.5] }) } },
    axes: [
      {
        ...axis,
        ...(data.names === undefined ? {} : namedAxis(data.names, box.clientWidth)),
        ...(data.time ? TIME_AXIS : {}),
      },
      {
        ...axis,
        values: (_, values) => values.map((value) => (Math.abs(value) >= 1000 ? shortCount(value) : String(value))),
      },
    ],
    series: [
      {},
      {
        label: name,
        stroke: colours.data,
        fill: bars === undefined ? undefined : `${colours.data}99`,
        width: 1.4,
        points: { show: data.names === undefined && (data.repeats || data.x.length < 400), size: 4 },
        ...(bars === undefined ? {} : { paths: bars }),
        // A line through several values at one place would say what is not there.
        ...(data.repeats ? { paths: () => null } : {}),
      },
    ],
  };
}

const TIME_AXIS: uPlot.Axis = {
  space: 84,
  values: (_, ticks) => timeTicks(ticks, (ticks[1] ?? 0) - (ticks[0] ?? 0)),
};

const NAME_WIDTH = 76;

/** Names under the bars, as many as have room. */
function namedAxis(names: readonly string[], width: number): uPlot.Axis {
  const step = Math.max(1, Math.ceil((names.length * NAME_WIDTH) / width));
  return {
    splits: () => names.map((_, at) => at).filter((at) => at % step === 0),
    values: (_, places) => places.map((at) => shortened(names[at] ?? "")),
  };
}

const shortened = (name: string): string => (name.length > 12 ? `${name.slice(0, 11)}…` : name);
