/** A simulated bus, as the device that moves it on sees it. */
export interface Segment {
  /** Goes through everything that happened by now. */
  advance(nowUs: number): void;
  /** When there is something to report next; Infinity if nothing is under way. */
  readonly nextDeadlineUs: number;
}
