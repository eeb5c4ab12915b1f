import { parseDuration } from '../../base/clock/duration.ts';
import { invalidArgument } from '../../base/errors/busbar-error.ts';

/** A time in a trace: from its first event, or a Unix time. */
export interface TimeLimit {
  readonly us: number;
  readonly isRelative: boolean;
}

const date =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})?)?$/;

const unixUsOf = (text: string): number | null => {
  const match = date.exec(text);
  if (!match) return null;
  const [, day = '', time = '00:00', fraction = '', zone = 'Z'] = match;
  const ms = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${zone}`);
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  return Number.isNaN(ms) || !isDay ? null : ms * 1000 + Number(fraction.padEnd(6, '0'));
};

/** Parses `12.5s`, `500ms` or `2026-01-01T12:00:00Z`; dates without a zone are UTC. */
export const timeLimitOf = (text: string, field: string): TimeLimit => {
  const ns = parseDuration(text);
  if (ns !== null) return { us: Math.round(ns / 1000), isRelative: true };
  const us = unixUsOf(text);
  if (us !== null) return { us, isRelative: false };
  throw invalidArgument(
    field,
    `${field} must be a time such as 12.5s or 500ms, or a date such as 2026-01-31T12:00:00Z`,
    { reason: 'invalid_time', value: text },
  );
};

export interface TimeLimits {
  readonly from: TimeLimit | null;
  readonly to: TimeLimit | null;
}

const refuseOrder = (): never => {
  throw invalidArgument('to', 'to must be later than the start of the part', {
    reason: 'not_after_from',
  });
};

export const timeLimitsOf = (from: string | undefined, to: string | undefined): TimeLimits => {
  const limits = {
    from: from === undefined ? null : timeLimitOf(from, 'from'),
    to: to === undefined ? null : timeLimitOf(to, 'to'),
  };
  if (limits.from && limits.to && limits.from.isRelative === limits.to.isRelative) {
    if (limits.to.us <= limits.from.us) refuseOrder();
  }
  return limits;
};

/** Refuses dates for a trace that does not say when it started. */
export const refuseDates = ({ from, to }: TimeLimits): void => {
  const field = from?.isRelative === false ? 'from' : to?.isRelative === false ? 'to' : null;
  if (field === null) return;
  throw invalidArgument(field, 'The trace has no start time: use a time from its first event', {
    reason: 'no_start_time',
  });
};

/** Unix times of the limits, once the time of the first event is known. */
export const unixLimitsOf = (
  { from, to }: TimeLimits,
  firstUs: number,
): { readonly fromUs: number; readonly toUs: number } => {
  const unixUs = (limit: TimeLimit | null, none: number): number =>
    limit === null ? none : limit.us + (limit.isRelative ? firstUs : 0);
  const fromUs = unixUs(from, Number.NEGATIVE_INFINITY);
  const toUs = unixUs(to, Number.POSITIVE_INFINITY);
  if (toUs <= fromUs) refuseOrder();
  return { fromUs, toUs };
};
