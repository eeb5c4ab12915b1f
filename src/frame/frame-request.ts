import { invalidArgument } from '../base/errors/busbar-error.ts';
import { canFrameFromRequest } from './can-request.ts';
import type { CanFrame, Frame } from './frame.ts';
import type { Bus } from './frm2-layout.ts';
import { formatHex } from './hex-bytes.ts';
import type { LinModel } from './lin.ts';
import { linFrameFromRequest } from './lin-request.ts';
import { type FrameRequest, frameTypes } from './request-fields.ts';

const latestLin: LinModel = { version: '2.2', checksum: 'enhanced' };

/**
 * Builds the frame of a request for a channel with that bus. Errors name the invalid field.
 * Nothing is padded, truncated or guessed.
 */
export const frameFromRequest = (
  request: FrameRequest,
  bus: Bus,
  lin: LinModel = latestLin,
): Frame => {
  if (request.type !== undefined && !frameTypes.includes(request.type)) {
    throw invalidArgument('type', `type must be one of ${frameTypes.join(', ')}`, {
      reason: 'enum',
      allowed: frameTypes,
    });
  }
  return bus === 'lin' ? linFrameFromRequest(request, lin) : canFrameFromRequest(request, bus);
};

export const requestFromCanFrame = (frame: CanFrame): FrameRequest => {
  if (frame.error) {
    throw invalidArgument('id', 'An error frame reports a bus error and cannot be sent', {
      reason: 'error_frame',
    });
  }
  const { id, extended, fd, brs, esi, dlc } = frame;
  const type = frame.remote ? 'remote' : 'data';
  return { type, id, extended, fd, brs, esi, dlc, data: formatHex(frame.data) };
};
