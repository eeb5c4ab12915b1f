import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { PortControl } from '../drivers/driver-channel.ts';
import type { Frame } from '../frame/frame.ts';
import { frameFromRequest } from '../frame/frame-request.ts';
import type { FrameRequest } from '../frame/request-fields.ts';
import { frameFromText } from './frame-text.ts';

/** How often and when a request has frames sent. */
export interface PaceRequest {
  readonly count: number;
  /** Time from one frame of a batch to the next. 0: as fast as the channel goes. */
  readonly cycle_us: number;
  /** The same with its unit, such as `10ms`. */
  readonly cycle?: string;
  /** How long one frame may wait for room in the queue, and a master read for its response. */
  readonly timeout_ms: number;
}

/** What a request to send describes, once or in a batch. */
export interface DescribedFrames extends FrameRequest {
  /** The selector of the channel. */
  readonly channel: string;
  /** The frame in field notation, such as `123#DEADBEEF`; then no other field describes it. */
  readonly frame?: string;
  /** Many frames in field notation, a line each, as many as `count` says. */
  readonly frames?: string;
}

/** A request to send. */
export interface SendRequest extends DescribedFrames, PaceRequest {}

/** When the frames of a request are to be sent. */
export interface SendPace {
  readonly count: number;
  readonly cycleUs: number;
  readonly timeoutUs: number;
}

/** The fields that field notation stands in for. */
const spelledOut = ['type', 'id', 'extended', 'fd', 'brs', 'esi', 'dlc', 'data'] as const;

/** The frame that the request asks for on that channel, or a refusal that names the field. */
export const requestedFrame = (request: DescribedFrames, hardware: PortControl): Frame => {
  const { bus } = hardware;
  const { lin } = hardware.settings;
  const { frame } = request;
  if (frame === undefined) return frameFromRequest(request, bus, lin);
  const also = spelledOut.filter((field) => request[field] !== undefined);
  if (also.length > 0) {
    throw invalidArgument('frame', `frame stands for all of it: leave out ${also.join(', ')}`, {
      reason: 'exclusive',
      with: also,
    });
  }
  return frameFromText(frame, bus, request.checksum, lin);
};

/** A request as a caller gave it, in which a list is yet to be counted. */
export interface ListRequest extends DescribedFrames {
  readonly count?: number;
}

/** Refuses what cannot stand beside a list of frames. */
export const checkListAlone = (request: ListRequest): void => {
  const also = ([...spelledOut, 'frame', 'count'] as const).filter(
    (field) => request[field] !== undefined,
  );
  if (also.length === 0) return;
  throw invalidArgument('frames', `A list stands for all of it: leave out ${also.join(', ')}`, {
    reason: 'exclusive',
    with: also,
  });
};

/** A number of a request, if it is an integer of at least that. */
export const wholeNumber = (field: string, value: number, least: number): number => {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalidArgument(field, `${field} must be an integer of at least ${least}`, {
    reason: 'out_of_range',
    min: least,
  });
};

const decimalsToMicroseconds: Readonly<Record<string, number>> = { us: 0, ms: 3, s: 6 };
const durationText = /^([0-9]+)(?:\.([0-9]+))?(us|ms|s)$/;

/** An hour: the longest time between two frames of a batch or a task. */
export const longestCycleUs = 3_600_000_000;

/** Microseconds of a time with its unit, such as `10ms`. */
export const durationUs = (field: string, text: string): number => {
  const [, whole = '', fraction = '', unit = ''] = durationText.exec(text) ?? [];
  const decimals = decimalsToMicroseconds[unit];
  if (decimals === undefined) {
    throw invalidArgument(field, `${field} must be a number with us, ms or s behind it`);
  }
  if (/[1-9]/.test(fraction.slice(decimals))) {
    throw invalidArgument(field, `${field} must be whole microseconds`, { reason: 'inexact' });
  }
  // Digits are moved and not multiplied: 1.001 has no double, and a thousand times that is no 1001.
  const us = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (us <= longestCycleUs) return us;
  throw invalidArgument(field, `${field} must not exceed 3600s`, {
    reason: 'out_of_range',
    max: longestCycleUs,
  });
};

const requestedCycleUs = ({ cycle, cycle_us }: PaceRequest): number => {
  if (cycle === undefined) return wholeNumber('cycle_us', cycle_us, 0);
  const cycleUs = durationUs('cycle', cycle);
  if (cycle_us !== 0) {
    throw invalidArgument('cycle', 'cycle says the same as cycle_us: leave one of them out', {
      reason: 'exclusive',
    });
  }
  return cycleUs;
};

/** The pace of a request, whose batch may not be meant to last longer than `maxDurationUs`. */
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
