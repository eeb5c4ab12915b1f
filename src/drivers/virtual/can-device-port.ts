import type { SendResult } from '../send-result.ts';
import type { CanNode } from './can-node.ts';
import type { CanWireFrame } from './can-wire-frame.ts';

/** An open CAN port of the simulated device, for what the device sends by itself. */
export interface CanDevicePort {
  readonly node: CanNode;
  /** Takes over a frame that another port of the device received at that time. */
  forward(frame: CanWireFrame, id: number, atUs: number): SendResult;
  /** Brings what it sends by itself up to now, and says when that is. */
  settle(): number;
  /** Sees to it that what it sends by itself gets reported. */
  attend(): void;
}
