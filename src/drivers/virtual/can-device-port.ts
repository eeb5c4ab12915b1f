import type { SendResult } from '../send-result.ts';
import type { CanNode } from './can-node.ts';
import type { CanWireFrame } from './can-wire-frame.ts';

export interface CanDevicePort {
  readonly node: CanNode;
  forward(frame: CanWireFrame, id: number, atUs: number): SendResult;
  settle(): number;
  attend(): void;
}
