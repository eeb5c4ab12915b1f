import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { MessageRange } from '../database-store.ts';
import type { MessageReference } from '../find-message.ts';

export interface RangeRequest {
  readonly message?: MessageReference | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly signal_offset: number;
}

/**
 * Converts a request to a range. A single message is not paged, so the request must not contain
 * a range then.
 */
export const messageRange = (
  { message, offset, limit, signal_offset: signalOffset }: RangeRequest,
  given: ReadonlySet<string>,
): MessageRange => {
  const range = { offset, limit, signalOffset };
  if (message === undefined) return range;
  const field = ['offset', 'limit'].find((name) => given.has(name));
  if (field === undefined) return { ...range, message };
  throw invalidArgument(
    field,
    `${field} is for pages of messages and cannot be combined with message`,
    {
      reason: 'conflicts_with_message',
    },
  );
};
