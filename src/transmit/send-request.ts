import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { PortControl } from '../drivers/driver-channel.ts';
import type { Frame } from '../frame/frame.ts';
import { frameFromRequest } from '../frame/frame-request.ts';
import type { FrameRequest } from '../frame/request-fields.ts';
import { frameFromText } from './frame-text.ts';

export interface PaceRequest {
  readonly count: number;
  /** Time between frames of a batch; 0 sends as fast as possible. */
  readonly cycle_us: number;
  readonly cycle?: string;
  /** Timeout of a frame waiting for room, and of a read waiting for its response. */
  readonly timeout_ms: number;
}

export interface DescribedFrames extends FrameRequest {
  readonly channel: string;
  readonly frame?: string;
  /** Frames in field notation, one per line, `count` of them. */
  readonly frames?: string;
}

export interface SendRequest extends DescribedFrames, PaceRequest {}

export interface SendPace {
  readonly count: number;
  readonly cycleUs: number;
  readonly timeoutUs: number;
}

const spelledOut = ['type', 'id', 'extended', 'fd', 'brs', 'esi', 'dlc', 'data'] as const;

export const requestedFrame = (request: DescribedFrames, hardware: PortControl): Frame => {
  const { bus } = hardware;
  const { lin } = hardware.settings;
  const { frame } = request;
  if (frame === undefined) return frameFromRequest(request, bus, lin);
  const also = spelledOut.filter((field) => request[field] !== undefined);
  if (also.length > 0) {
    throw invalidArgument('frame', `frame replaces ${also.join(', ')}: omit them`, {
      reason: 'exclusive',
      with: also,
    });
  }
  return frameFromText(frame, bus, request.checksum, lin);
};

export interface ListRequest extends DescribedFrames {
  readonly count?: number;
}

export const checkListAlone = (request: ListRequest): void => {
  const also = ([...spelledOut, 'frame', 'count'] as const).filter(
    (field) => request[field] !== undefined,
  );
  if (also.length === 0) return;
  throw invalidArgument('frames', `A list replaces ${also.join(', ')}: omit them`, {
    reason: 'exclusive',
    with: also,
  });
};

export const wholeNumber = (field: string, value: number, least: number): number => {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalidArgument(field, `${field} must be an integer of at least ${least}`, {
    reason: 'out_of_range',
    min: least,
  });
};

const decimalsToMicroseconds: Readonly<Record<string, number>> = { us: 0, ms: 3, s: 6 };
const durationText = /^([0-9]+)(?:\.([0-9]+))?(us|ms|s)$/;

export const maxCycleUs = 3_600_000_000;

export const durationUs = (field: string, text: string): number => {
  const [, whole = '', fraction = '', unit = ''] = durationText.exec(text) ?? [];
  const decimals = decimalsToMicroseconds[unit];
  if (decimals === undefined) {
    throw invalidArgument(field, `${field} must be a number followed by us, ms or s`);
  }
  if (/[1-9]/.test(fraction.slice(decimals))) {
    throw invalidArgument(field, `${field} must be whole microseconds`, { reason: 'inexact' });
  }
  // Digits are shifted, not multiplied: 1.001 has no exact double.
  const us = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (us <= maxCycleUs) return us;
  throw invalidArgument(field, `${field} must not exceed 3600s`, {
    reason: 'out_of_range',
    max: maxCycleUs,
  });
};

const requestedCycleUs = ({ cycle, cycle_us }: PaceRequest): number => {
  if (cycle === undefined) return wholeNumber('cycle_us', cycle_us, 0);
  const cycleUs = durationUs('cycle', cycle);
  if (cycle_us !== 0) {
    throw invalidArgument('cycle', 'cycle duplicates cycle_us: omit one of them', {
      reason: 'exclusive',
    });
  }
  return cycleUs;
};

export const requestedPace = (
  request: PaceRequest,
  maxDurationUs = Number.POSITIVE_INFINITY,
): SendPace => {
  const count = wholeNumber('count', request.count, 1);
  const cycleUs = requestedCycleUs(request);
  const timeoutMs = wholeNumber('timeout_ms', request.timeout_ms, 0);
  if (count * cycleUs > maxDurationUs) {
    throw invalidArgument('count', `count × cycle_us must not exceed ${maxDurationUs} µs here`, {
      reason: 'too_long',
      limit_us: maxDurationUs,
    });
  }
  return { count, cycleUs, timeoutUs: timeoutMs * 1000 };
};
