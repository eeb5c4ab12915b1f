export interface Segment {
  advance(nowUs: number): void;
  readonly nextDeadlineUs: number;
}
