import type { ReactNode } from "react";
import { TASK_STATES, type TaskStateName } from "./task-states.ts";

const stroke = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.5,
  strokeLinejoin: "round",
  strokeLinecap: "round",
} as const;

/** Drawn in a 12 × 12 box, so that a glyph looks the same whatever fonts a machine has. */
export const STATE_SHAPES: Readonly<Record<TaskStateName, ReactNode>> = {
  Starting: <circle cx="6" cy="6" r="4" {...stroke} />,
  Polling: (
    <>
      <circle cx="6" cy="6" r="4" {...stroke} />
      <path d="M6 6V2a4 4 0 0 1 4 4Z" fill="currentColor" />
    </>
  ),
  Receiving: <path d="M2 3.2h8L6 9.8Z" {...stroke} />,
  Working: <circle cx="6" cy="6" r="4.3" fill="currentColor" />,
  Sending: <path d="M2.8 1.8 10 6l-7.2 4.2Z" fill="currentColor" />,
  Barrier: <path d="M3.9 1.5v9M8.1 1.5v9" {...stroke} strokeWidth="2" />,
  CommitWait: (
    <path d="M3 1.5h6M3 10.5h6M3.6 1.5c0 3 4.8 4 4.8 9M8.4 1.5c0 3-4.8 4-4.8 9" {...stroke} strokeWidth="1.3" />
  ),
  Done: <path d="M2 6.5 4.8 9.3 10 3" {...stroke} strokeWidth="1.8" />,
  Failed: <path d="m2.6 2.6 6.8 6.8M9.4 2.6 2.6 9.4" {...stroke} strokeWidth="1.9" />,
};

/** The glyph of a task's state in its colour; the word stands beside it, so the glyph itself says nothing to a screen reader. */
export function StateGlyph({ state, size = 12 }: { state: TaskStateName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 12 12"
      aria-hidden="true"
      style={{ color: TASK_STATES[state].ink, flex: "none" }}
    >
      {STATE_SHAPES[state]}
    </svg>
  );
}
