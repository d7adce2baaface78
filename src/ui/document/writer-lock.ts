/**
 * One tab writes a document at a time. The writer holds a Web Lock named after it; a tab that wants to take over asks by
 * BroadcastChannel, the writer saves and lets go. A writer that does not answer (frozen, crashed) loses the lock by force and
 * learns it when it wakes.
 */
export type LockLoss = "asked" | "stolen";

export interface WriterLock {
  release(): void;
}

export interface WriterLocks {
  /** The lock, or undefined when another tab has it. `onLost` is called at most once; "asked" may save before it resolves. */
  acquire(document: string, onLost: (loss: LockLoss) => Promise<void>): Promise<WriterLock | undefined>;
  /** Takes the lock from whoever has it. */
  takeOver(document: string, onLost: (loss: LockLoss) => Promise<void>): Promise<WriterLock>;
}

interface TakeOverRequest {
  readonly kind: "take-over";
  readonly document: string;
}

/** How long the other tab may take to save before the lock is taken by force. */
const PATIENCE_MS = 1500;

const lockName = (document: string) => `weir:document:${document}`;

export function createWriterLocks(manager: LockManager, channel: BroadcastChannel): WriterLocks {
  const request = (document: string, options: LockOptions, onLost: (loss: LockLoss) => Promise<void>) =>
    new Promise<WriterLock | undefined>((granted, failed) => {
      let release = () => {};
      let isHeld = false;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const asked = (event: MessageEvent<TakeOverRequest>) => {
        if (event.data.kind !== "take-over" || event.data.document !== document) return;
        channel.removeEventListener("message", asked);
        void onLost("asked").finally(release);
      };
      manager
        .request(lockName(document), options, async (lock) => {
          if (lock === null) return granted(undefined);
          isHeld = true;
          channel.addEventListener("message", asked);
          granted({ release });
          await held;
        })
        .catch((error: unknown) => {
          if (isHeld) void onLost("stolen");
          else failed(error);
        })
        .finally(() => channel.removeEventListener("message", asked));
    });

  return {
    acquire: (document, onLost) => request(document, { ifAvailable: true }, onLost),
    takeOver: async (document, onLost) => {
      channel.postMessage({ kind: "take-over", document } satisfies TakeOverRequest);
      const patience = { signal: AbortSignal.timeout(PATIENCE_MS) };
      const waited = await request(document, patience, onLost).catch(() => undefined);
      return waited ?? ((await request(document, { steal: true }, onLost)) as WriterLock);
    },
  };
}
