/** Branded identifiers. A brand costs nothing at run time and keeps a task id from being passed where an edge id belongs. */

declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Number of a task: 0, 1, 2… in plan order (F-1). */
export type TaskId = Brand<number, "TaskId">;
/** Number of a physical edge: 0, 1, 2… in the order of F-4. */
export type EdgeId = Brand<number, "EdgeId">;
/** Id of a node in the graph document. */
export type NodeId = Brand<string, "NodeId">;
/** Checkpoint epoch; the first one issued by a fresh run is 1 (F-8, F-48). */
export type Epoch = Brand<number, "Epoch">;
/** Number of a run of a graph; nothing of an older attempt is ever read (D-9). */
export type Attempt = Brand<number, "Attempt">;

export const taskId = (n: number): TaskId => n as TaskId;
export const edgeId = (n: number): EdgeId => n as EdgeId;
export const nodeId = (s: string): NodeId => s as NodeId;
export const epoch = (n: number): Epoch => n as Epoch;
export const attempt = (n: number): Attempt => n as Attempt;

export const nextEpoch = (e: Epoch): Epoch => (e + 1) as Epoch;
