import { TASK_STATES } from "../../engine/index.ts";
import { STATE_SHAPES } from "../shared/StateGlyph.tsx";

/** The glyphs of all states, once, for what is drawn without React: `<use href="#state-Working">`. */
export function StateSprite() {
  return (
    <svg width="0" height="0" aria-hidden="true" style={{ position: "absolute" }}>
      {TASK_STATES.map((state) => (
        <symbol key={state} id={`state-${state}`} viewBox="0 0 12 12">
          {STATE_SHAPES[state]}
        </symbol>
      ))}
    </svg>
  );
}
