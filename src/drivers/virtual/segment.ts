export interface Segment {
  /** Simulates everything until now. */
  advance(nowUs: number): void;
  /** Next report; Infinity if idle. */
  readonly nextDeadlineUs: number;
}
