import { sourceOf } from '../../database/j1939.ts';
import type { Message } from '../../database/model.ts';
import { dlcToLength, lengthToDlc, maxClassicLength, maxFdLength } from '../../frame/dlc.ts';

/** Stands in the identifiers of J1939 databases where any source address is meant. */
const anySource = 0xfe;

/** Why a message is not one frame with one identifier; null if it is. */
export const frameFlaw = ({ length, fd, pgn, id }: Message): string | null => {
  if (length > maxFdLength) return `has ${length} bytes, more than a frame can hold`;
  if (!fd && length > maxClassicLength) return `has ${length} bytes, which take several frames`;
  if (pgn !== undefined && sourceOf(id) === anySource) {
    return 'is a J1939 parameter group of any source address, and has no identifier of its own';
  }
  return null;
};

/** Bytes of the frame that carries a message: senders fill up to the next length there is. */
export const frameLength = (length: number): number => dlcToLength(lengthToDlc(length, true), true);
