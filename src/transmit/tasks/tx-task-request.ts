import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { LinControl, PortControl } from '../../drivers/driver-channel.ts';
import { unsupportedByHardware } from '../../drivers/refusals.ts';
import type { Frame } from '../../frame/frame.ts';
import { linMasterRequestId } from '../../frame/lin.ts';
import type { FrameRequest } from '../../frame/request-fields.ts';
import { refusedBy } from '../send-failures.ts';
import { durationUs, requestedFrame, wholeNumber } from '../send-request.ts';
import type { TaskSource } from './task-source.ts';

export const txTaskKinds = ['cyclic', 'lin_response'] as const;
export type TxTaskKind = (typeof txTaskKinds)[number];

export const txPatterns = ['fixed', 'increment_data', 'increment_id', 'random_data'] as const;
export type TxPattern = (typeof txPatterns)[number];

/** Leaves time for other senders. */
export const minPeriodUs = 100;

export interface TxTaskRequest extends FrameRequest {
  /** Set by the thread that encoded the frame. */
  readonly source?: TaskSource;
  readonly channel: string;
  readonly kind: TxTaskKind;
  readonly frame?: string;
  readonly period_us?: number;
  readonly period?: string;
  /** Zero repeats without limit. */
  readonly count: number;
  readonly pattern: TxPattern;
  readonly offload?: boolean;
}

export interface CyclicSettings {
  readonly periodUs: number;
  readonly count: number;
  readonly pattern: TxPattern;
  readonly offload?: boolean | undefined;
}

export const respondingChannel = (
  { kind }: TxTaskRequest,
  hardware: PortControl,
): LinControl | undefined => {
  if (kind !== 'lin_response') return undefined;
  if (hardware.bus === 'lin') return hardware;
  const { bus } = hardware;
  throw invalidArgument('kind', `LIN responses are not available on a ${bus} channel`, {
    reason: 'not_on_bus',
    bus,
  });
};

export const taskFrame = (request: TxTaskRequest, hardware: PortControl): Frame => {
  const described = requestedFrame(request, hardware);
  if (described.bus !== 'lin' || described.type === 'master-write') return described;
  throw invalidArgument('type', `A task cannot send a ${described.type}`, {
    reason: 'not_in_task',
  });
};

export const requestedPeriodUs = ({
  period,
  period_us,
}: Pick<TxTaskRequest, 'period' | 'period_us'>): number => {
  const field = period === undefined ? 'period_us' : 'period';
  if (period !== undefined && period_us !== undefined) {
    throw invalidArgument('period', 'period duplicates period_us: omit one of them', {
      reason: 'exclusive',
    });
  }
  const periodUs = period === undefined ? period_us : durationUs('period', period);
  if (periodUs === undefined) {
    throw invalidArgument('period_us', 'A cyclic task requires period_us', { reason: 'missing' });
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
    throw invalidArgument('pattern', `${pattern} requires a frame with data`, {
      reason: 'no_data',
    });
  }
  if (pattern === 'increment_id' && frame.bus === 'lin' && frame.id >= linMasterRequestId) {
    throw invalidArgument('pattern', 'Diagnostic identifiers cannot be incremented', {
      reason: 'diagnostic_id',
    });
  }
};

const checkNamed = ({ pattern, offload }: TxTaskRequest): void => {
  if (pattern !== 'fixed') {
    throw invalidArgument('pattern', 'A task by name changes with its signals: omit pattern', {
      reason: 'exclusive',
    });
  }
  if (offload !== true) return;
  throw unsupportedByHardware('offload', 'The daemon sends tasks by name: omit offload');
};

export const cyclicPlan = (
  request: TxTaskRequest,
  frame: Frame,
  { settings }: PortControl,
): CyclicSettings => {
  const { count, pattern } = request;
  const periodUs = requestedPeriodUs(request);
  wholeNumber('count', count, 0);
  checkPattern(pattern, frame);
  if (request.source) checkNamed(request);
  // A slave stays a slave while the channel is open, so this task would never send.
  if (settings.lin?.role === 'slave') throw refusedBy('not_master', 'kind');
  return { periodUs, count, pattern, offload: request.offload };
};

/**
 * The device sends a response when a master requests it. So a response has no type, period,
 * count or pattern, and cannot be sent by the daemon, which would be too late.
 */
export const checkResponse = (request: TxTaskRequest): void => {
  const { type, period, period_us, count, pattern, offload } = request;
  if (offload === false) {
    throw invalidArgument('offload', 'A LIN response is always sent by the device', {
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
  throw invalidArgument(field, `A LIN response has no ${field}`, { reason: 'not_in_response' });
};
