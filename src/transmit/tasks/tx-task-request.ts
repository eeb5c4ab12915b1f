import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { LinControl, PortControl } from '../../drivers/driver-channel.ts';
import type { Frame } from '../../frame/frame.ts';
import { linMasterRequestId } from '../../frame/lin.ts';
import type { FrameRequest } from '../../frame/request-fields.ts';
import { refusedBy } from '../send-failures.ts';
import { durationUs, requestedFrame, wholeNumber } from '../send-request.ts';

export const txTaskKinds = ['cyclic', 'lin_response'] as const;
export type TxTaskKind = (typeof txTaskKinds)[number];

export const txPatterns = ['fixed', 'increment_data', 'increment_id', 'random_data'] as const;
/** How one frame of a task differs from the one before. */
export type TxPattern = (typeof txPatterns)[number];

/** A shorter period could not be kept, and would leave nothing for other senders. */
export const minPeriodUs = 100;

/** A request for frames that are sent from now on, until a caller ends it. */
export interface TxTaskRequest extends FrameRequest {
  /** The selector of the channel. */
  readonly channel: string;
  readonly kind: TxTaskKind;
  /** The frame in field notation, such as `123#DEADBEEF`; then no other field describes it. */
  readonly frame?: string;
  readonly period_us?: number;
  /** The same with its unit, such as `10ms`. */
  readonly period?: string;
  /** 0: endless. */
  readonly count: number;
  readonly pattern: TxPattern;
  /** Whether the device is to do it. Left out: where it can, and tells enough about it. */
  readonly offload?: boolean;
}

/** When a cyclic task sends, and what changes from frame to frame. */
export interface CyclicPlan {
  readonly periodUs: number;
  readonly count: number;
  readonly pattern: TxPattern;
  readonly offload?: boolean | undefined;
}

/** The channel that is to respond, if that is what the request asks for. */
export const respondingChannel = (
  { kind }: TxTaskRequest,
  hardware: PortControl,
): LinControl | undefined => {
  if (kind !== 'lin_response') return undefined;
  if (hardware.bus === 'lin') return hardware;
  const { bus } = hardware;
  throw invalidArgument('kind', `There are no LIN responses on a ${bus} channel`, {
    reason: 'not_on_bus',
    bus,
  });
};

/** The frame of a task, or a refusal that names the field at fault. */
export const taskFrame = (request: TxTaskRequest, hardware: PortControl): Frame => {
  const described = requestedFrame(request, hardware);
  if (described.bus !== 'lin' || described.type === 'master-write') return described;
  throw invalidArgument('type', `A task cannot send a ${described.type}`, {
    reason: 'not_in_task',
  });
};

const requestedPeriodUs = ({ period, period_us }: TxTaskRequest): number => {
  const field = period === undefined ? 'period_us' : 'period';
  if (period !== undefined && period_us !== undefined) {
    throw invalidArgument('period', 'period says the same as period_us: leave one of them out', {
      reason: 'exclusive',
    });
  }
  const periodUs = period === undefined ? period_us : durationUs('period', period);
  if (periodUs === undefined) {
    throw invalidArgument('period_us', 'A cyclic task needs period_us', { reason: 'missing' });
  }
  if (Number.isSafeInteger(periodUs) && periodUs >= minPeriodUs) return periodUs;
  throw invalidArgument(field, `${field} must be at least ${minPeriodUs} µs`, {
    reason: 'out_of_range',
    min: minPeriodUs,
  });
};

const checkPattern = (pattern: TxPattern, frame: Frame): void => {
  const changesData = pattern === 'increment_data' || pattern === 'random_data';
  if (changesData && frame.data.length === 0) {
    throw invalidArgument('pattern', `${pattern} needs a frame that carries data`, {
      reason: 'no_data',
    });
  }
  if (pattern === 'increment_id' && frame.bus === 'lin' && frame.id >= linMasterRequestId) {
    throw invalidArgument('pattern', 'Diagnostic identifiers cannot be counted through', {
      reason: 'diagnostic_id',
    });
  }
};

/** How a cyclic task is to send that frame. */
export const cyclicPlan = (
  request: TxTaskRequest,
  frame: Frame,
  { settings }: PortControl,
): CyclicPlan => {
  const { count, pattern } = request;
  const periodUs = requestedPeriodUs(request);
  wholeNumber('count', count, 0);
  checkPattern(pattern, frame);
  // A role lasts as long as the channel, so that this task would never send anything.
  if (settings.lin?.role === 'slave') throw refusedBy('not_master', 'kind');
  return { periodUs, count, pattern, offload: request.offload };
};

/**
 * A response goes out when a master asks for it: it has no times of its own, is nothing that a master
 * writes, and comes from the device, since the daemon would be too late.
 */
export const checkResponse = (request: TxTaskRequest): void => {
  const { type, period, period_us, count, pattern, offload } = request;
  if (offload === false) {
    throw invalidArgument('offload', 'A LIN response is always given by the device', {
      reason: 'not_in_response',
    });
  }
  const unfit: readonly (readonly [string, boolean])[] = [
    ['type', type !== undefined],
    ['period_us', period_us !== undefined],
    ['period', period !== undefined],
    ['count', count !== 0],
    ['pattern', pattern !== 'fixed'],
  ];
  const found = unfit.find(([, isGiven]) => isGiven);
  if (!found) return;
  const [field] = found;
  throw invalidArgument(field, `A LIN response takes no ${field}`, { reason: 'not_in_response' });
};
