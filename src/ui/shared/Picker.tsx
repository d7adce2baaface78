import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Dialog } from "./Dialog.tsx";
import styles from "./Picker.module.css";

export interface PickerItem {
  readonly id: string;
  readonly label: string;
  readonly group?: string | undefined;
  readonly detail?: string | undefined;
  readonly icon?: ReactNode;
  /** Instead of the detail. */
  readonly aside?: ReactNode;
  /** Further words that it is found by. */
  readonly keywords?: string | undefined;
  /** Why it cannot be picked. */
  readonly refused?: string | undefined;
}

interface PickerProps {
  readonly opened: boolean;
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly PickerItem[];
  readonly nothing: string;
  readonly testId: string;
  readonly onPick: (id: string) => void;
  readonly onClose: () => void;
}

/** Type a few letters, choose with the arrows, Enter. */
export function Picker({ opened, title, onClose, testId, ...rest }: PickerProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      centered={false}
      yOffset="12vh"
      size={460}
      padding={0}
      title={title}
      hideTitle
      testId={testId}
      returnFocus
    >
      {/* One that is opened again while it closes starts anew. */}
      <PickerBody key={String(opened)} title={title} onClose={onClose} {...rest} />
    </Dialog>
  );
}

function PickerBody({ title, placeholder, items, nothing, onPick, onClose }: Omit<PickerProps, "opened" | "testId">) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = search(items, query);
  const current = Math.min(active, found.length - 1);

  useEffect(() => {
    list.current?.querySelector(`[data-index="${current}"]`)?.scrollIntoView({ block: "nearest" });
  }, [current]);

  const pick = (item: PickerItem | undefined) => {
    if (item === undefined || item.refused !== undefined) return;
    onClose();
    onPick(item.id);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setActive((current + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      pick(found[current]);
    }
  };

  return (
    <>
      <input
        data-autofocus
        role="combobox"
        aria-label={title}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        className={styles.input}
        placeholder={placeholder}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      {found.length === 0 && <p className={styles.nothing}>{nothing}</p>}
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={title} className={styles.list}>
        {found.map((item, index) => (
          <Option
            key={item.id}
            id={`${id}-${index}`}
            item={item}
            index={index}
            active={index === current}
            first={item.group !== found[index - 1]?.group}
            onPick={pick}
            onHover={setActive}
          />
        ))}
      </div>
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: PickerItem;
  readonly index: number;
  readonly active: boolean;
  /** The first of its group carries the group's name. */
  readonly first: boolean;
  readonly onPick: (item: PickerItem) => void;
  readonly onHover: (index: number) => void;
}

function Option({ id, item, index, active, first, onPick, onHover }: OptionProps) {
  const refused = item.refused !== undefined;
  return (
    <>
      {first && item.group !== undefined && (
        <div role="presentation" className={styles.group}>
          {item.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input drives the list by keyboard; options are never focused. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        aria-disabled={refused}
        data-index={index}
        data-testid={`pick-${item.id}`}
        className={styles.option}
        onMouseMove={() => active || onHover(index)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onPick(item)}
      >
        <span className={styles.icon}>{item.icon}</span>
        <span className={styles.label}>{item.label}</span>
        <span className={styles.detail}>{item.refused ?? item.aside ?? item.detail}</span>
      </div>
    </>
  );
}

/** Items whose words hold every word of the query; those whose name starts with it come first, refused ones last. */
export function search(items: readonly PickerItem[], query: string): PickerItem[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const rank = (item: PickerItem): number => {
    const label = item.label.toLowerCase();
    const start = words.length > 0 && label.startsWith(words[0] as string) ? 0 : 1;
    const inLabel = words.every((word) => label.includes(word)) ? 0 : 2;
    return start + inLabel + (item.refused === undefined ? 0 : 10);
  };
  const text = (item: PickerItem) =>
    `${item.label} ${item.group ?? ""} ${item.detail ?? ""} ${item.keywords ?? ""}`.toLowerCase();
  const found = items.filter((item) => words.every((word) => text(item).includes(word)));
  return words.length === 0 && found.every((item) => item.refused === undefined)
    ? found
    : found
        .map((item) => [rank(item), item] as const)
        .sort(([a], [b]) => a - b)
        .map(([, item]) => item);
}
