import { type EventJsonChannel, writeEventJson } from '../frame/event-json.ts';
import type { DecodedFrame } from '../frame/event-record.ts';

const maxRoom = 4096;
const bytes = Buffer.alloc(maxRoom);
const view = new DataView(bytes.buffer, bytes.byteOffset, maxRoom);

/** JSON of an event with its names and values. */
export const decodedEventJson = (
  record: DataView,
  from: number,
  channel: EventJsonChannel,
  decoded: DecodedFrame | null,
): string => {
  const end = writeEventJson(view, 0, record, from, channel);
  const text = bytes.toString('latin1', 0, end);
  return decoded === null ? text : `${text.slice(0, -1)},${JSON.stringify(decoded).slice(1)}`;
};
