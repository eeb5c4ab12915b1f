import type { SendResult } from '../send-result.ts';
import type { CanNode } from './can-node.ts';
import type { CanWireFrame } from './can-wire-frame.ts';

/** A CAN port of the simulated device, for its own frames. */
export interface CanDevicePort {
  readonly node: CanNode;
  /** Forwards a frame received by another port. */
  forward(frame: CanWireFrame, id: number, atUs: number): SendResult;
  /** Updates its own frames; returns the time. */
  settle(): number;
  /** Schedules reports of its own frames. */
  attend(): void;
}
