/** 0: finished or stopped cleanly. 1: the run failed. 2: the graph or the usage is wrong. */
export type ExitStatus = 0 | 1 | 2;
