import { frameFlag } from '../../frame/frm2-layout.ts';
import { asciiWord } from '../text/line-cursor.ts';
import type { TraceBatch } from '../trace-batch.ts';
import {
  type AscLine,
  badId,
  type LineOutcome,
  requested,
  skippedAs,
  taken,
  txRequest,
} from './asc-line.ts';
import { errorFrameWord } from './can-line.ts';
import {
  ascFlag,
  badChannel,
  badFormat,
  noDirection,
  putFrame,
  takeChannel,
  takeFlags,
  takePayload,
} from './fd-columns.ts';
import { putErrorFrame } from './frame-row.ts';

/** Classic and FD frames on an XL channel; the CRC precedes the flags. */
const formats = [
  { word: asciiWord('cbff'), fd: false, extended: false, columnsBeforeFlags: 1 },
  { word: asciiWord('ceff'), fd: false, extended: true, columnsBeforeFlags: 1 },
  { word: asciiWord('fbff'), fd: true, extended: false, columnsBeforeFlags: 2 },
  { word: asciiWord('feff'), fd: true, extended: true, columnsBeforeFlags: 2 },
];
const xlWord = asciiWord('xlff');
const canXl = skippedAs('can_xl');

const frameFlags = (fd: boolean, flags: number): number => {
  if (flags < 0) return fd ? frameFlag.fd : 0;
  if (!fd) return (flags & ascFlag.remote) !== 0 ? frameFlag.remote : 0;
  return (
    frameFlag.fd |
    ((flags & ascFlag.brs) !== 0 ? frameFlag.brs : 0) |
    ((flags & ascFlag.esi) !== 0 ? frameFlag.esi : 0)
  );
};

export const takeCanXlLine = (line: AscLine, batch: TraceBatch): LineOutcome => {
  const channel = takeChannel(line);
  if (channel < 0) return badChannel;
  const kind = line.skipBlanks() ? line.takeDirection() : 0;
  if (kind === 0) return noDirection;
  if (kind === requested) return txRequest;
  line.skipBlanks();
  if (line.takeWord(xlWord)) return canXl;
  if (line.takeWord(errorFrameWord)) {
    putErrorFrame(batch, kind, channel);
    return taken;
  }
  const format = formats.find(({ word }) => line.takeWord(word));
  if (format === undefined) return badFormat;
  if (!line.skipBlanks() || !line.skipToken() || !line.skipToken()) return badFormat;
  if (!line.takeId(true)) return badId;
  line.isExtended = format.extended;
  if (!line.isIdInRange) return badId;
  // A DLC is one digit; a longer token is the message name.
  if (line.skipBlanks() && line.tokenEnd() - line.at > 1) line.skipToken();
  const outcome = takePayload(line, batch);
  if (outcome !== taken) return outcome;
  const flags = takeFlags(line, format.columnsBeforeFlags);
  return putFrame(line, batch, channel, kind, frameFlags(format.fd, flags));
};
