import type { ApiError } from '../../api/api-error.ts';
import { numberOf } from '../../forms/number-text.ts';
import type { RequestDraft } from './request-draft.ts';
import { unitsIn } from './units.ts';

/** Allows for the transfer to the daemon and the requests queued before. */
const queueMs = 5000;
/** Maximum backoff of the daemon for an unreachable endpoint. */
const backOffMs = 5000;
/** The daemon accepts scans of up to 60 s over HTTP; retries add to that. */
const scanMs = 120_000;
const scanTimeoutMs = 200;

/** Splits a scan into requests of about a second each, to show its progress. */
export const scanSteps = (draft: RequestDraft): readonly (readonly number[])[] | null => {
  const units = unitsIn(draft.units);
  const size = Math.max(1, Math.floor(1000 / wholeIn(draft.timeout, scanTimeoutMs)));
  return (
    units &&
    Array.from({ length: Math.ceil(units.length / size) }, (_, step) =>
      units.slice(step * size, (step + 1) * size),
    )
  );
};

const wholeIn = (text: string, otherwise: number): number => {
  const value = numberOf(text);
  return typeof value === 'number' && value >= 0 ? value : otherwise;
};

export const limitOf = ({ mode, units, timeout, retries, late }: RequestDraft): number => {
  if (mode === 'scan') {
    const count = unitsIn(units)?.length ?? 1;
    return queueMs + backOffMs + Math.min(scanMs, 2 * count * wholeIn(timeout, scanTimeoutMs));
  }
  const timeoutMs = wholeIn(timeout, 1000);
  const again = wholeIn(retries, 0);
  // A unit on a serial line can be in backoff before the retry.
  const pauseMs = Math.max(backOffMs, wholeIn(late, timeoutMs));
  return queueMs + (again + 1) * timeoutMs + again * pauseMs;
};

/** Reasons for a lost link after the request can have been sent. */
const broken: ReadonlySet<unknown> = new Set([
  'closed_by_peer',
  'flooded_by_peer',
  'ECONNRESET',
  'EPIPE',
]);

/** Whether a failed write can have changed the unit; null if the error contains it. */
export const writeNote = (error: ApiError): string | null => {
  const { code, details } = error;
  const isSure = code === 'modbus_exception' || code === 'modbus_unreachable';
  const wasTriedBefore = typeof details.attempts === 'number' && details.attempts > 1;
  const isOpen =
    error.isSilence ||
    code === 'modbus_timeout' ||
    code === 'modbus_bad_reply' ||
    (isSure && (wasTriedBefore || broken.has(details.reason)));
  if (isOpen) return 'The value may have been written. Read it back before writing again.';
  return isSure ? 'Nothing was written.' : null;
};
