import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { type ChecksumModel, linFrameTypes } from './frame.ts';
import type { Bus } from './frm2-layout.ts';

/** What can be sent, over all buses. */
export const frameTypes = ['data', 'remote', ...linFrameTypes] as const;
export type FrameType = (typeof frameTypes)[number];

/** The frame part of a request to send, before it is known whether such a frame exists. */
export interface FrameRequest {
  /** Left out: `data` on CAN, `master-write` on LIN. */
  readonly type?: FrameType;
  /** Required in all but a sync break. */
  readonly id?: number;
  readonly extended?: boolean;
  readonly fd?: boolean;
  readonly brs?: boolean;
  readonly esi?: boolean;
  /** Left out: what the data needs. */
  readonly dlc?: number;
  /** Hex, with separators between bytes as the writer likes. */
  readonly data?: string;
  /** LIN only. Left out: the model of the channel. */
  readonly checksum?: ChecksumModel;
}

/** A refusal of something that only another kind of bus has. */
export const notOnBus = (field: string, what: string, bus: Bus): BusbarError =>
  invalidArgument(field, `${what} does not exist on a ${bus} channel`, {
    reason: 'not_on_bus',
    bus,
  });

/** The identifier of a request, which must be there and fit. */
export const requestedId = (request: FrameRequest, limit: number, hint = ''): number => {
  const { id } = request;
  if (id === undefined) throw invalidArgument('id', 'id is required', { reason: 'missing' });
  if (!Number.isInteger(id) || id < 0 || id > limit) {
    const range = `0 to ${limit} (0x${limit.toString(16).toUpperCase()})`;
    throw invalidArgument('id', `id must be an integer from ${range}${hint}`, {
      reason: 'out_of_range',
      limit,
    });
  }
  return id;
};

/** The DLC of a request, if it gives one. */
export const requestedDlc = (request: FrameRequest, limit: number): number | undefined => {
  const { dlc } = request;
  if (dlc !== undefined && (!Number.isInteger(dlc) || dlc < 0 || dlc > limit)) {
    throw invalidArgument('dlc', `dlc must be an integer from 0 to ${limit}`, {
      reason: 'out_of_range',
      limit,
    });
  }
  return dlc;
};

/** A refusal of a DLC that means another number of bytes than there are. */
export const dlcDisagrees = (dlc: number, means: number, length: number): BusbarError =>
  invalidArgument('dlc', `dlc ${dlc} means ${means} data bytes, but data has ${length}`, {
    reason: 'disagrees',
    length,
  });

/** A refusal of data in a frame that carries none. */
export const refuseData = (request: FrameRequest, what: string): void => {
  if (request.data === undefined || request.data === '') return;
  throw invalidArgument('data', `${what} carries no data`, { reason: 'no_data_allowed' });
};
