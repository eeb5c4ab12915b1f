import { invalidArgument } from '../base/errors/busbar-error.ts';
import { dlcToLength, lengthError, lengthToDlc, maxDlc, maxFdLength } from './dlc.ts';
import type { CanFrame } from './frame.ts';
import type { CanKind } from './frm2-layout.ts';
import { parseHex } from './hex-bytes.ts';
import {
  dlcDisagrees,
  type FrameRequest,
  givenIdentity,
  notOnBus,
  refuseData,
  requestedDlc,
  requestedId,
} from './request-fields.ts';

const fdFields = ['fd', 'brs', 'esi'] as const;

const checkFdFields = (request: FrameRequest, bus: CanKind): void => {
  for (const field of fdFields) {
    if (request[field] !== true) continue;
    if (bus === 'can') throw notOnBus(field, field, bus);
    if (request.fd !== true) {
      throw invalidArgument(field, `${field} applies to CAN FD frames only: set fd as well`, {
        reason: 'needs_fd',
      });
    }
  }
};

export const checkDataLength = (field: string, length: number, fd: boolean): void => {
  const error = lengthError(length, fd);
  if (error === null) return;
  const message =
    error.reason === 'too_long'
      ? `A ${fd ? 'CAN FD' : 'classic'} frame has at most ${error.limit} data bytes, not ${length}`
      : `No CAN FD frame has ${length} data bytes: pad to ${error.next}, the next valid length`;
  throw invalidArgument(field, message, { ...error });
};

export const canFrameFromRequest = (request: FrameRequest, bus: CanKind): CanFrame => {
  const type = request.type ?? 'data';
  if (type !== 'data' && type !== 'remote') throw notOnBus('type', type, bus);
  if (request.checksum !== undefined) throw notOnBus('checksum', 'A checksum model', bus);
  checkFdFields(request, bus);

  const { id, extended } = givenIdentity(requestedId(request), request.extended);
  const fd = request.fd === true;
  const remote = type === 'remote';
  if (remote && fd) {
    throw invalidArgument('fd', 'CAN FD has no remote frames', { reason: 'remote_fd' });
  }
  if (remote) refuseData(request, 'A remote frame');

  const given = requestedDlc(request, maxDlc);
  const data = remote
    ? new Uint8Array(0)
    : parseHex(request.data ?? '', { field: 'data', maxLength: maxFdLength });
  checkDataLength('data', data.length, fd);
  const dlc = given ?? lengthToDlc(data.length, fd);
  const means = dlcToLength(dlc, fd);
  if (!remote && means !== data.length) throw dlcDisagrees(dlc, means, data.length);

  return {
    bus: fd ? 'canfd' : 'can',
    id,
    extended,
    remote,
    fd,
    brs: request.brs === true,
    esi: request.esi === true,
    error: false,
    dlc,
    data,
  };
};
