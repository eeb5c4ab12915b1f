import { comment, timedHeaderSize } from './blf-layout.ts';
import { longestText } from './channel-names.ts';
import type { BlfObject } from './object-event.ts';

const decoder = new TextDecoder();

/** What an EVENT_COMMENT says, which may be something that we have written; empty if it is none. */
export const commentText = (object: BlfObject): string => {
  const { bytes, view } = object.window;
  const body = object.at + object.headerSize;
  const room = Math.min(object.size - object.headerSize, longestText) - comment.text;
  if (room < 0 || object.headerSize < timedHeaderSize) return '';
  const length = Math.min(view.getUint32(body + comment.textLength, true), room);
  const from = body + comment.text;
  return decoder.decode(bytes.subarray(from, from + length));
};
