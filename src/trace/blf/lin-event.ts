import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { isSleepFrame, linChecksum, maxLinLength } from '../../frame/lin.ts';
import { checksumModel } from './blf-layout.ts';
import {
  appendEvent,
  type BlfObject,
  copyData,
  type EventRows,
  type Outcome,
  outcome,
} from './object-event.ts';

/** A file that does not tell the model lets the checksum tell it. */
const isEnhanced = (
  model: number,
  bytes: Uint8Array,
  from: number,
  length: number,
  id: number,
  checksum: number,
): boolean => {
  if (model === checksumModel.classic || model === checksumModel.enhanced) {
    return model === checksumModel.enhanced;
  }
  return (
    linChecksum(true, id, bytes, from, length) === checksum &&
    linChecksum(false, id, bytes, from, length) !== checksum
  );
};

/** A header and its response, right or with a wrong checksum. */
export const appendLinMessage = (
  rows: EventRows,
  object: BlfObject,
  kind: number,
  channel: number,
  id: number,
  length: number,
  dataAt: number,
  checksum: number,
  model: number,
  isWrong: boolean,
): Outcome => {
  if (length > maxLinLength) return outcome.badLength;
  const { bytes } = object.window;
  const enhanced = isEnhanced(model, bytes, dataAt, length, id, checksum);
  const sleeps = !isWrong && isSleepFrame(id, bytes, dataAt, length);
  const flags =
    (enhanced ? frameFlag.enhancedChecksum : 0) |
    (isWrong ? frameFlag.checksumError : 0) |
    (sleeps ? frameFlag.sleep : 0);
  copyData(rows, object, dataAt, length, length);
  return appendEvent(rows, object, busCode.lin, kind, channel, id, flags, length, length, checksum);
};

/** Something on the bus that has no data. */
export const appendLinNotice = (
  rows: EventRows,
  object: BlfObject,
  kind: number,
  channel: number,
  id: number,
  flags: number,
  dlc: number,
): Outcome => {
  if (dlc > maxLinLength) return outcome.badLength;
  return appendEvent(rows, object, busCode.lin, kind, channel, id, flags, dlc, 0, 0);
};

/** A break with nothing behind it is one that was sent alone; any edges are a broken sync byte. */
export const syncFlag = (view: DataView, edgesAt: number): number => {
  const noEdges = view.getUint32(edgesAt, true) === 0 && view.getUint32(edgesAt + 4, true) === 0;
  return noEdges ? frameFlag.syncBreak : frameFlag.error;
};
