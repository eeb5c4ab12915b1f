import { busCode } from '../../frame/frm2-layout.ts';
import type { WireFrame } from '../port-reporter.ts';

export const noData = new Uint8Array(0);

export interface RecordedResponse {
  readonly id: number;
  readonly length: number;
  readonly checksum: number;
}

export class LinRecord implements WireFrame {
  readonly bus = busCode.lin;
  readonly offset = 0;
  id = 0;
  flags = 0;
  dlc = 0;
  checksum = 0;
  data: Uint8Array = noData;
  length = 0;

  response({ id, length, checksum }: RecordedResponse, data: Uint8Array, flags: number): this {
    this.id = id;
    this.flags = flags;
    this.dlc = length;
    this.checksum = checksum;
    this.data = data;
    this.length = length;
    return this;
  }

  signal(id: number, flags: number, dlc: number): this {
    this.id = id;
    this.flags = flags;
    this.dlc = dlc;
    this.checksum = 0;
    this.data = noData;
    this.length = 0;
    return this;
  }
}
