import type { EngineEvent, NodeId, PackedBatch } from "../engine/index.ts";

/** With more rows than this on their way to the page, whoever brings more has to wait. */
const MOST_WAITING = 65_536;

/**
 * Rows on their way to the page. While it is busy with some, others gather, and go as one message: a sink of many small batches costs
 * the page little, and one of few shows each at once.
 */
export class RowsOutbox {
  /** Settles when the page has taken the event. */
  private readonly tell: (event: EngineEvent) => unknown;
  private waiting = new Map<NodeId, PackedBatch[]>();
  private waitingRows = 0;
  private busy: Promise<void> | undefined = undefined;

  constructor(tell: (event: EngineEvent) => unknown) {
    this.tell = tell;
  }

  /** Settles when more may come; at once as long as the page keeps up. */
  add(node: NodeId, batch: PackedBatch): Promise<void> | undefined {
    const batches = this.waiting.get(node);
    if (batches === undefined) this.waiting.set(node, [batch]);
    else batches.push(batch);
    this.waitingRows += batch.rowCount;
    this.pump();
    return this.waitingRows > MOST_WAITING ? this.busy : undefined;
  }

  /** Sends everything now, so that what is told next comes after it. */
  async flush(): Promise<void> {
    const { waiting } = this;
    this.waiting = new Map();
    this.waitingRows = 0;
    await Promise.allSettled([...waiting].map(([node, batches]) => this.tell({ kind: "rows", node, batches })));
  }

  private pump(): void {
    if (this.busy !== undefined || this.waiting.size === 0) return;
    this.busy = this.flush().then(() => {
      this.busy = undefined;
      this.pump();
    });
  }
}
