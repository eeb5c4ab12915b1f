import { maxFdLength } from '../../../src/frame/dlc.ts';
import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { countErrorFrames } from '../../../src/trace/error-frames.ts';
import { detailOfStatus, TraceBatch } from '../../../src/trace/trace-batch.ts';
import type { CreateTrace } from '../../../src/trace/trace-format.ts';
import type { RowPlace } from './chunk-view.ts';
import { gapKind } from './frame-chunk.ts';
import { gapRemarkOf } from './gap-text.ts';
import type { ExportContext, TraceWriter } from './trace-writer.ts';

/** Puts a frame into an empty batch, as the number in the file has its channel. */
const putRow = (
  batch: TraceBatch,
  { chunk, row }: RowPlace,
  startUs: number,
  channel: number,
): void => {
  const flags = chunk.flags[row] as number;
  const detail = detailOfStatus(chunk.status[row] as number);
  batch.clear();
  batch.count = 1;
  batch.timeNs[0] = ((chunk.timestampUs[row] as number) - startUs) * 1000;
  batch.id[0] = chunk.id[row] as number;
  batch.flags[0] = flags;
  batch.channel[0] = channel;
  batch.kind[0] = chunk.kind[row] as number;
  batch.bus[0] = chunk.bus[row] as number;
  batch.dlc[0] = chunk.dlc[row] as number;
  batch.length[0] = chunk.length[row] as number;
  batch.checksum[0] = chunk.checksum[row] as number;
  batch.detail[0] = detail;
  batch.payload.set(chunk.payload.subarray(row * maxFdLength, (row + 1) * maxFdLength));
  const isError = (flags & frameFlag.error) !== 0 && chunk.bus[row] !== busCode.lin;
  if (isError && detail === 0) countErrorFrames(batch, 0, chunk.errors[row] as number);
};

/** Writes rows as the service writes the events of a log. `hasRemarks`: whether gaps have a line. */
export const fileWriter =
  (create: CreateTrace, hasRemarks: boolean) =>
  (startUs: number, { channelName, channelNumber }: ExportContext): TraceWriter => {
    const utf8 = new TextDecoder();
    let text = '';
    const taken = (): string => {
      const all = text;
      text = '';
      return all;
    };
    /** Channels as they were called last. */
    const names = new Map<number, string>();
    const writer = create(
      { write: (bytes) => (text += utf8.decode(bytes)) },
      { startUnixUs: startUs, channelName: (channel) => names.get(channel) ?? null },
    );
    const batch = new TraceBatch(1);
    const lineOf = (place: RowPlace): string => {
      const { chunk, row } = place;
      const us = chunk.timestampUs[row] as number;
      if (chunk.kind[row] === gapKind) {
        const remark = gapRemarkOf(chunk.sequence[row] as number);
        if (hasRemarks) writer.note((us - startUs) * 1000, remark);
        return taken();
      }
      const slot = chunk.channel[row] as number;
      const channel = channelNumber(slot, us);
      const name = channelName(slot, us);
      if (names.get(channel) !== name) writer.rename?.(channel);
      names.set(channel, name);
      putRow(batch, place, startUs, channel);
      writer.write(batch, 0, 1);
      return taken();
    };
    return {
      head: taken(),
      line: lineOf,
      end: () => {
        writer.end();
        return taken();
      },
    };
  };
