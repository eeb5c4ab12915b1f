import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { WireFrame } from '../port-reporter.ts';
import type { CanTxQueue } from './can-tx-queue.ts';

export class CanWireFrame implements WireFrame {
  readonly checksum = 0;
  id = 0;
  flags = 0;
  dlc = 0;
  data: Uint8Array = new Uint8Array(0);
  offset = 0;
  length = 0;
  isOwn = false;

  load(queue: CanTxQueue, flags: number): void {
    this.id = queue.headId;
    this.flags = flags;
    this.dlc = queue.headDlc;
    this.data = queue.data;
    this.offset = queue.headOffset;
    this.length = queue.headLength;
    this.isOwn = queue.headIsOwn;
  }

  get bus(): number {
    return (this.flags & frameFlag.fd) === 0 ? busCode.can : busCode.canfd;
  }
}
