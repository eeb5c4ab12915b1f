import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { TraceBatch } from '../trace-batch.ts';

export const putRow = (
  batch: TraceBatch,
  bus: number,
  kind: number,
  channel: number,
  id: number,
  flags: number,
  dlc: number,
  length: number,
): void => {
  const row = batch.count;
  batch.bus[row] = bus;
  batch.kind[row] = kind;
  batch.channel[row] = channel;
  batch.id[row] = id;
  batch.flags[row] = flags;
  batch.dlc[row] = dlc;
  batch.length[row] = length;
  batch.checksum[row] = 0;
  batch.detail[row] = 0;
};

export const putErrorFrame = (batch: TraceBatch, kind: number, channel: number): void =>
  putRow(batch, busCode.can, kind, channel, 0, frameFlag.error, 0, 0);

export const putLinNotice = (batch: TraceBatch, channel: number, id: number, flags: number): void =>
  putRow(batch, busCode.lin, eventKindCode.rx_frame, channel, id, flags, 0, 0);
