/** The run's clock, a port: milliseconds that never go back. The lab's moves only on an explicit move (D-50). */
export interface Clock {
  /** Milliseconds since an origin that is fixed for the run; may have fractions. */
  now(): number;
}
