import type { SendResult } from '../send-result.ts';
import type { CanNode } from './can-node.ts';
import type { CanWireFrame } from './can-wire-frame.ts';

export interface CanDevicePort {
  readonly node: CanNode;
  /** Forwards a frame received by another port. */
  forward(frame: CanWireFrame, id: number, atUs: number): SendResult;
  /** Updates the device's own frames and returns the time. */
  settle(): number;
  /** Schedules reports of the device's own frames. */
  attend(): void;
}
