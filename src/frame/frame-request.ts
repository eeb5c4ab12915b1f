import { invalidArgument } from '../base/errors/busbar-error.ts';
import { canFrameFromRequest } from './can-request.ts';
import {
  type CanFrame,
  type ChecksumModel,
  checksumModels,
  type Frame,
  type LinFrame,
  type LinFrameType,
  linFrameTypes,
  maxLinId,
  reservedLinId,
} from './frame.ts';
import type { Bus } from './frm2-layout.ts';
import { formatHex, parseHex } from './hex-bytes.ts';
import {
  classicChecksumOnly,
  hasEnhancedChecksum,
  isDiagnosticId,
  type LinModel,
  linChecksumModel,
  linLengthError,
  maxLinLength,
} from './lin.ts';
import {
  dlcDisagrees,
  type FrameRequest,
  type FrameType,
  frameTypes,
  givenNumber,
  notOnBus,
  type RequestedId,
  refuseData,
  requestedDlc,
  requestedId,
  writtenWidth,
} from './request-fields.ts';

const canFields = ['extended', 'fd', 'brs', 'esi'] as const;

const nothing = new Uint8Array(0);

const isLinType = (type: FrameType): type is LinFrameType =>
  (linFrameTypes as readonly FrameType[]).includes(type);

const linId = (given: RequestedId): number => {
  if (writtenWidth(given) === true) throw notOnBus('id', `The 29-bit identifier ${given}`, 'lin');
  return givenNumber('id', given, maxLinId);
};

/** A sync break has no identifier and no response. */
const syncBreak = (request: FrameRequest): LinFrame => {
  for (const field of ['id', 'dlc'] as const) {
    const given = request[field] ?? 0;
    if (given === 0 || (typeof given === 'string' && linId(given) === 0)) continue;
    throw invalidArgument(field, `A sync break has no ${field}`, { reason: 'not_in_sync_break' });
  }
  if (request.checksum !== undefined) {
    throw invalidArgument('checksum', 'A sync break has no checksum', {
      reason: 'not_in_sync_break',
    });
  }
  refuseData(request, 'A sync break');
  return { bus: 'lin', type: 'sync-break', id: 0, dlc: 0, data: nothing, checksum: 'classic' };
};

const checksumOf = (request: FrameRequest, id: number, lin: LinModel): ChecksumModel => {
  const { checksum } = request;
  if (checksum !== undefined && !checksumModels.includes(checksum)) {
    throw invalidArgument('checksum', `checksum must be one of ${checksumModels.join(', ')}`, {
      reason: 'enum',
      allowed: checksumModels,
    });
  }
  if (checksum === 'enhanced' && isDiagnosticId(id)) {
    throw invalidArgument('checksum', 'Diagnostic frames always use the classic checksum', {
      reason: 'diagnostic_id',
    });
  }
  if (checksum === 'enhanced' && !hasEnhancedChecksum(lin.version)) {
    throw invalidArgument('checksum', classicChecksumOnly, {
      reason: 'lin_version',
      version: lin.version,
    });
  }
  return linChecksumModel(id, checksum ?? lin.checksum);
};

const writtenData = (request: FrameRequest, id: number): Uint8Array => {
  const data = parseHex(request.data ?? '', { field: 'data', maxLength: maxLinLength });
  const reason = linLengthError(id, data.length);
  if (reason === null) return data;
  const message =
    reason === 'diagnostic_id'
      ? `A diagnostic frame has ${maxLinLength} data bytes`
      : `A LIN frame with its own response has 1 to ${maxLinLength} data bytes`;
  throw invalidArgument('data', message, { reason });
};

/** Expected response length; 0 if the responding node decides. */
const expectedLength = (id: number, given: number | undefined): number => {
  if (given === undefined) return 0;
  const reason = linLengthError(id, given);
  if (reason === null) return given;
  const message =
    reason === 'diagnostic_id'
      ? `A diagnostic response has ${maxLinLength} data bytes`
      : `A LIN response has 1 to ${maxLinLength} data bytes: omit dlc to accept any length`;
  throw invalidArgument('dlc', message, { reason });
};

export const linFrameFromRequest = (request: FrameRequest, lin: LinModel): LinFrame => {
  const type = request.type ?? 'master-write';
  if (!isLinType(type)) throw notOnBus('type', type, 'lin');
  for (const field of canFields) {
    if (request[field] === true) throw notOnBus(field, field, 'lin');
  }
  if (type === 'sync-break') return syncBreak(request);

  const id = linId(requestedId(request));
  if (id === reservedLinId) {
    throw invalidArgument('id', 'Identifier 0x3F is reserved and must not be used', {
      reason: 'reserved',
    });
  }
  const checksum = checksumOf(request, id, lin);
  const given = requestedDlc(request, maxLinLength);
  if (type === 'master-read') {
    refuseData(request, 'A master read');
    return { bus: 'lin', type, id, dlc: expectedLength(id, given), data: nothing, checksum };
  }
  const data = writtenData(request, id);
  const dlc = given ?? data.length;
  if (dlc !== data.length) throw dlcDisagrees(dlc, dlc, data.length);
  return { bus: 'lin', type, id, dlc, data, checksum };
};

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
