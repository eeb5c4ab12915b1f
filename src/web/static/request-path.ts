import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';

/** Everything a URL's path can be made of; the rest has to come percent-encoded. */
const urlText = /^[\x21-\x7e]*$/;

const forbidden = /[\x00-\x1f\x7f\\]/;

/** The refusal of everything that is not served; which rule it was stays unsaid. */
export const notServed = (rawPathname: string, cause?: unknown): BusbarError =>
  new BusbarError('endpoint_not_found', { details: { path: rawPathname }, cause });

const malformed = (message: string): BusbarError => invalidArgument('path', message);

/** Decodes once, so `%252e` is the name `%2e`. Overlong forms of UTF-8 are malformed. */
const decoded = (segment: string): string => {
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    throw malformed('The path is not valid percent-encoded UTF-8');
  }
  if (forbidden.test(name)) {
    throw malformed('The path contains a backslash or a control character');
  }
  return name;
};

/**
 * No dot first: this excludes `.` and `..` as well as hidden files. No colon: drive letters and
 * streams of other systems. No slash: one that came encoded must not become a separator.
 */
const isServable = (name: string): boolean => name !== '' && !/^\.|[:/]/.test(name);

/**
 * The file that a request's path names, relative to the Web root. `rawPathname` is the path as it
 * was sent, without the query. A path that ends in a slash names the index of that directory.
 */
export const requestedFile = (rawPathname: string): string => {
  if (!urlText.test(rawPathname)) throw malformed('The path contains characters no URL can');
  if (!rawPathname.startsWith('/')) throw notServed(rawPathname);
  const names = rawPathname.slice(1).split('/').map(decoded);
  if (names.at(-1) === '') names[names.length - 1] = 'index.html';
  if (!names.every(isServable)) throw notServed(rawPathname);
  return names.join('/');
};
