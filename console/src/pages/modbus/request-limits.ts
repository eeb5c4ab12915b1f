import type { ApiError } from '../../api/api-error.ts';
import { numberOf } from '../../forms/number-text.ts';
import type { RequestDraft } from './request-draft.ts';
import { unitsIn } from './units.ts';

/** For the way to the daemon, and for requests of others that are in the queue before. */
const queueMs = 5000;
/** How long the daemon leaves an endpoint alone that it could not reach, at the most. */
const backOffMs = 5000;
/** Over HTTP the daemon takes scans of up to 60 s; what passes by itself is tried again beside that. */
const scanMs = 120_000;
/** How long a unit may take where the fields do not say. */
const scanTimeoutMs = 200;

/** Units that are asked in one request, about a second's worth: so often is told how far a scan is. */
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

/** How long the answer to a request may take: the daemon gives up before that, and says why. */
export const limitOf = ({ mode, units, timeout, retries, late }: RequestDraft): number => {
  if (mode === 'scan') {
    const count = unitsIn(units)?.length ?? 1;
    return queueMs + backOffMs + Math.min(scanMs, 2 * count * wholeIn(timeout, scanTimeoutMs));
  }
  const timeoutMs = wholeIn(timeout, 1000);
  const again = wholeIn(retries, 0);
  // A unit on a serial line may be left alone before it is asked again.
  const pauseMs = Math.max(backOffMs, wholeIn(late, timeoutMs));
  return queueMs + (again + 1) * timeoutMs + again * pauseMs;
};

/** Links that broke after the request may have left. */
const broken: ReadonlySet<unknown> = new Set([
  'closed_by_peer',
  'flooded_by_peer',
  'ECONNRESET',
  'EPIPE',
]);

/** What a failed write has done to the unit; null where the error itself tells. */
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
