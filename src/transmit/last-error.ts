import type { ErrorCode } from '../base/errors/table.ts';
import type { NotTaken } from '../drivers/send-result.ts';
import { queueStayedFull, refusedBy } from './send-failures.ts';

/** Why something that goes on all the same failed last. */
export interface LastError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What a refusal of the channel means; made when it is asked for, and not with every frame. */
export const lastErrorOf = (refusal: NotTaken | undefined): LastError | null => {
  if (refusal === undefined) return null;
  const { code, message } = refusal === 'full' ? queueStayedFull(0) : refusedBy(refusal, 'type');
  return { code, message };
};
