import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { MessageRange } from '../database-shelf.ts';
import type { MessageReference } from '../find-message.ts';

/** What a caller has asked for of a database. */
export interface RangeRequest {
  readonly message: MessageReference | undefined;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly signalOffset: number;
}

/** The range of messages that a request means. One message is no page of several. */
export const messageRange = (request: RangeRequest, defaultLimit: number): MessageRange => {
  const { message, offset, limit, signalOffset } = request;
  const range = { offset: offset ?? 0, limit: limit ?? defaultLimit, signalOffset };
  if (message === undefined) return range;
  const field = offset !== undefined ? 'offset' : limit !== undefined ? 'limit' : null;
  if (field === null) return { ...range, message };
  throw invalidArgument(field, `${field} is for pages of messages, and message is for one alone`, {
    reason: 'conflicts_with_message',
  });
};
