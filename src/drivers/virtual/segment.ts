export interface Segment {
  advance(nowUs: number): void;
  /** Time of the next report; Infinity if idle. */
  readonly nextDeadlineUs: number;
}
