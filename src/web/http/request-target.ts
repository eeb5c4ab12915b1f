import { invalidArgument } from '../../base/errors/busbar-error.ts';

/** The path of a request target, without its query. */
export const pathnameOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
};

const queryOf = (target: string): string => {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidArgument('query', 'The query is not valid percent-encoding', { reason: 'syntax' });
  }
};

/** The fields of a query in their order, repeated ones repeated. Strict about encoding. */
export const queryFields = (target: string): [name: string, value: string][] =>
  queryOf(target)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      if (equals === -1) return [decode(part), ''];
      return [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });

const protectedPath = /^\/+(?:api|metrics)(?:\/|$)/i;

/**
 * Whether a path that no route matched would lie among the protected resources, judged as
 * suspiciously as possible: decoded, case-folded and with repeated slashes.
 */
export const isProtectedPath = (pathname: string): boolean => {
  let decoded = pathname;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    // Judged as it stands; the router refuses it anyway.
  }
  return protectedPath.test(decoded);
};
