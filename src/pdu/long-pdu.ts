import { globalAddress, idOfGroup, nullAddress } from '../database/j1939.ts';
import { maxSingleFrame } from './j1939/transport-frames.ts';
import type { Pdu } from './pdu.ts';

/** A J1939 payload longer than a frame: its signals are in no frame. */
export const isLong = ({ protocol, status, payload }: Pdu): boolean =>
  protocol === 'j1939' && status === 'complete' && payload.length > maxSingleFrame;

/** Identifier of a J1939 payload, as if one frame had carried it. */
export const idOfPdu = ({ priority, pgn, destination, source }: Pdu): number =>
  idOfGroup(priority ?? 0, pgn ?? 0, destination ?? globalAddress, source ?? nullAddress);
