import { missedBy } from '../trace-gap.ts';
import { comment, timedHeaderSize } from './blf-layout.ts';
import { longestText } from './channel-names.ts';
import type { BlfObject } from './object-event.ts';

const decoder = new TextDecoder();

/** How many events are missing by an EVENT_COMMENT of our own; undefined if it says anything else. */
export const missedByComment = (object: BlfObject): number | null | undefined => {
  const { bytes, view } = object.window;
  const body = object.at + object.headerSize;
  const room = Math.min(object.size - object.headerSize, longestText) - comment.text;
  if (room < 0 || object.headerSize < timedHeaderSize) return undefined;
  const length = Math.min(view.getUint32(body + comment.textLength, true), room);
  const from = body + comment.text;
  return missedBy(decoder.decode(bytes.subarray(from, from + length)));
};
