import { redactedMark } from './secrets.ts';

/**
 * The part of a request target that may be logged: its path. Queries and fragments go, and so does
 * the authority of an absolute target, which can hold a name and a password.
 */
export const loggablePath = (target: string): string => {
  const end = target.search(/[?#]/);
  const withoutQuery = end < 0 ? target : target.slice(0, end);
  if (withoutQuery.startsWith('/') || withoutQuery === '*') return withoutQuery;
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(.*)$/is.exec(withoutQuery);
  return absolute ? absolute[1] || '/' : redactedMark;
};
