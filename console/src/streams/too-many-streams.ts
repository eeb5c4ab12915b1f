import { ApiError } from '../api/api-error.ts';

/**
 * A browser has six connections for a service. Streams have four of them at the most, so that there is
 * always one for a request that takes long, and one for everything else.
 */
export const mostStreams = 4;
/** Requests that take long have so many at the most, */
export const mostSlots = 3;
/** and so many together with streams. */
export const mostTaken = 5;

export const tooManyStreams = (): ApiError =>
  new ApiError({
    code: 'too_many_streams',
    message: `Windows of this browser follow ${mostStreams} other streams already`,
  });
