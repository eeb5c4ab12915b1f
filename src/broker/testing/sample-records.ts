import { frm2 } from '../../frame/frm2-layout.ts';
import type { RingWriter } from '../ring-writer.ts';

const payloadWords = 16;

export const readSourceSequence = (view: DataView, record: number): number =>
  Number(view.getBigUint64(record + frm2.sourceSequence));

/** A payload word unique to this record of this channel. */
const wordOf = (channel: number, sequence: number, index: number): number =>
  Math.imul((sequence | 0) ^ Math.imul(channel + 1, 0x9e3779b1) ^ (index << 27), 0x85ebca6b) >>> 0;

/**
 * Fills a record so that a mixture of two is detected: first with values that belong to no
 * record, so that a reader can meet it half written. `pause` is called in between.
 */
export const fillSample = (
  view: DataView,
  offset: number,
  channel: number,
  sequence: number,
  pause: () => void = () => {},
): void => {
  const payload = offset + frm2.payload;
  for (let index = 0; index < payloadWords; index++) {
    view.setUint32(payload + 4 * index, ~wordOf(channel, sequence, index) >>> 0);
  }
  pause();
  view.setUint16(offset + frm2.channel, channel);
  for (let index = 0; index < payloadWords; index++) {
    view.setUint32(payload + 4 * index, wordOf(channel, sequence, index));
  }
};

/** Whether a record is complete: its payload matches its channel and sequence. */
export const isWholeSample = (view: DataView, offset: number): boolean => {
  const channel = view.getUint16(offset + frm2.channel);
  const sequence = readSourceSequence(view, offset);
  const payload = offset + frm2.payload;
  for (let index = 0; index < payloadWords; index++) {
    if (view.getUint32(payload + 4 * index) !== wordOf(channel, sequence, index)) return false;
  }
  return true;
};

/** Opens and fills records without publishing them. */
export const openSamples = (writer: RingWriter, count: number, pause?: () => void): void => {
  writer.reserve(count);
  for (let index = 0; index < count; index++) {
    const sequence = writer.published + index + 1;
    fillSample(writer.view, writer.offsetOf(index), writer.channel, sequence, pause);
  }
};

export const publishSamples = (writer: RingWriter, count = 1, pause?: () => void): void => {
  openSamples(writer, count, pause);
  writer.commit();
};
