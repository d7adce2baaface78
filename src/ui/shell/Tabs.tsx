import type { ComponentType, KeyboardEvent, ReactNode } from "react";
import styles from "./Tabs.module.css";

export interface TabItem {
  readonly id: string;
  readonly title: string;
  readonly Badge?: ComponentType;
}

interface TabsProps {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly selected: string | undefined;
  /** Prefix of element ids: the panel is `${name}-panel`, its tab `${name}-tab-${id}`. */
  readonly name: string;
  readonly onSelect: (id: string) => void;
  /** At the right end of the row. */
  readonly children?: ReactNode;
}

/** A row of tabs after the ARIA pattern: one tab stop, arrow keys, Home and End. */
export function Tabs({ label, items, selected, name, onSelect, children }: TabsProps) {
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const index = items.findIndex((item) => item.id === selected);
    const last = items.length - 1;
    const moves: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: last };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const next = items[move < 0 ? last : move > last ? 0 : move] as TabItem;
    onSelect(next.id);
    event.currentTarget.querySelector<HTMLElement>(`#${name}-tab-${next.id}`)?.focus();
  };
  const focusable = items.some((item) => item.id === selected) ? selected : items[0]?.id;

  return (
    <div className={styles.row}>
      <div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={press}>
        {items.map(({ id, title, Badge }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${name}-tab-${id}`}
            data-testid={`${name}-tab-${id}`}
            aria-selected={id === selected}
            aria-controls={id === selected ? `${name}-panel` : undefined}
            tabIndex={id === focusable ? 0 : -1}
            className={styles.tab}
            onClick={() => onSelect(id)}
          >
            {title}
            {Badge && <Badge />}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
