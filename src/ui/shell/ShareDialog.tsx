import { Button, CopyButton, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { outsidePaths } from "../document/data-files.ts";
import { shareLink } from "../document/share-link.ts";
import { Dialog } from "../shared/Dialog.tsx";
import styles from "./Dialogs.module.css";
import { useWorkbench } from "./workbench.ts";

/** A link that holds the graph itself. */
export function ShareDialog() {
  const { view } = useWorkbench();
  const opened = useStore(view, (state) => state.dialog === "share");
  return (
    <Dialog opened={opened} onClose={view.close} title="Share a link" size={560} testId="share-dialog">
      {opened && <ShareLink />}
    </Dialog>
  );
}

function ShareLink() {
  const { document } = useWorkbench();
  const graph = useStore(document, (state) => state.graph);
  const { hash, leftOut } = useMemo(() => shareLink(graph), [graph]);
  const url = new URL(location.href);
  url.search = "";
  url.hash = hash;
  const missing = [...leftOut, ...outsidePaths(graph)];
  return (
    <>
      <div className={styles.link}>
        <TextInput
          aria-label="Link"
          data-testid="share-link"
          readOnly
          value={url.href}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={url.href}>
          {({ copied, copy }) => (
            <Button
              variant="filled"
              data-testid="copy-link"
              leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </div>
      <p className={styles.hint}>
        The graph is in the link itself ({Math.ceil(url.href.length / 1024)} kB). Nothing is sent to a server; whoever
        has the link has the graph.
      </p>
      {missing.length > 0 && (
        <p className={styles.hint}>
          Not in the link, since data stay on this machine or are too large: {missing.join(", ")}.
        </p>
      )}
    </>
  );
}
