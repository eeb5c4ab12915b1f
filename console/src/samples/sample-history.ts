import type { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import type { SignalSample } from '../api/schema.ts';

const pageSize = 4096;

/** Nothing was decoded yet, or the plan is gone: others notice and tell the latter. */
const absences = ['no_sample', 'plan_not_found', 'signal_not_found'];

/**
 * All samples of a signal behind a sequence that the service still has, up to the newest of now: what comes
 * while they are fetched is the stream's.
 */
export const samplesAfter = async (
  plan: string,
  signal: string,
  sequence: number,
): Promise<readonly SignalSample[]> => {
  const found: SignalSample[] = [];
  try {
    let newest = Number.POSITIVE_INFINITY;
    for (let after = sequence; ; ) {
      const query = { plan, signal, after, limit: pageSize };
      const { samples, next_after, newest_available } = await call('signal.history', { query });
      found.push(...samples);
      newest = Math.min(newest, newest_available);
      if (samples.length === 0 || next_after <= after || next_after >= newest) return found;
      after = next_after;
    }
  } catch (thrown) {
    const { code, details } = thrown as ApiError;
    if (absences.includes(code)) return found;
    const oldest = details.oldest_available;
    // The ring has turned meanwhile; what it holds now is all that can be had.
    if (code !== 'cursor_expired' || typeof oldest !== 'number' || oldest - 1 <= sequence) {
      throw thrown;
    }
    return [...found, ...(await samplesAfter(plan, signal, oldest - 1))];
  }
};
