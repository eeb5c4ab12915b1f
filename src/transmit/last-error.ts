import type { RefusedSend } from '../drivers/send-result.ts';
import type { LastError } from './record-fields.ts';
import { queueStayedFull, refusedBy } from './send-failures.ts';

/** Creates the error on demand, not per frame. */
export const lastErrorOf = (refusal: RefusedSend | undefined): LastError | null => {
  if (refusal === undefined) return null;
  const { code, message } = refusal === 'full' ? queueStayedFull(0) : refusedBy(refusal, 'type');
  return { code, message };
};
