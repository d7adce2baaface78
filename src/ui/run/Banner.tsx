import { ActionIcon } from "@mantine/core";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./Banner.module.css";

interface BannerProps {
  readonly tone: "danger" | "warning";
  readonly title: string;
  readonly testId: string;
  readonly onClose?: (() => void) | undefined;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** A strip under the canvas: something to know, and what can be done about it. */
export function Banner({ tone, title, testId, onClose, children, actions }: BannerProps) {
  return (
    <section className={styles.banner} role="alert" data-tone={tone} data-testid={testId}>
      <IconAlertTriangle size={17} aria-hidden="true" />
      <div className={styles.text}>
        <h2>{title}</h2>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
      {onClose && (
        <ActionIcon size={22} aria-label="Close this notice" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </section>
  );
}
