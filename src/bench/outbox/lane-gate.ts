import type { Lane } from './lane.ts';

/** One lane owns the bus; frames of others start only in gaps that it leaves. */
export interface LaneGate {
  readonly lane: Lane;
  readonly isOpen: boolean;
  /** End of the gap. */
  readonly endUs: number;
  /** Increases when lanes that did not fit can try again. */
  readonly opening: number;
  /** Whether a frame that starts now ends in the gap. */
  admits(action: number, dlc: number): boolean;
}
