import type { NotTaken } from '../drivers/send-result.ts';
import type { LastError } from './record-fields.ts';
import { queueStayedFull, refusedBy } from './send-failures.ts';

/** What a refusal of the channel means; made when it is asked for, and not with every frame. */
export const lastErrorOf = (refusal: NotTaken | undefined): LastError | null => {
  if (refusal === undefined) return null;
  const { code, message } = refusal === 'full' ? queueStayedFull(0) : refusedBy(refusal, 'type');
  return { code, message };
};
