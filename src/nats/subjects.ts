/**
 * Subjects of a bench, and the names in them:
 *
 * ```
 * busbar.<bench>.frames.<channel>             busbar.<bench>.events
 * busbar.<bench>.signals.<channel>.<message>  busbar.<bench>.log
 * busbar.<bench>.pdus
 * ```
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export const maxBenchName = 64;
const benchName = /^[A-Za-z0-9_-]{1,64}$/;
const plainToken = /^[A-Za-z0-9_-]+$/;
const escapedToken = /^(?:[A-Za-z0-9_-]|=[0-9A-F]{2})*$/;

/** Why a text cannot name a bench, worded to follow the field's name; null if it can. */
export const benchNameError = (name: string): string | null =>
  benchName.test(name)
    ? null
    : `must have 1 to ${maxBenchName} letters, digits, hyphens or underscores`;

const isPlain = (byte: number): boolean => plainToken.test(String.fromCharCode(byte));

/** A name as one token of a subject: UTF-8 bytes outside `A-Za-z0-9_-` become `=XX`. */
export const subjectToken = (name: string): string => {
  if (plainToken.test(name)) return name;
  let token = '';
  for (const byte of encoder.encode(name)) {
    token += isPlain(byte)
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  // A token of a subject cannot be empty, and `=` alone escapes nothing.
  return token || '=';
};

/** The name that a token was made of, or null if it was made of none. */
export const nameOfToken = (token: string): string | null => {
  if (token === '=') return '';
  if (token === '' || !escapedToken.test(token)) return null;
  const bytes = token.match(/=..|[^=]/g) ?? [];
  try {
    return decoder.decode(
      Uint8Array.from(bytes, (text) =>
        text.length === 3 ? Number.parseInt(text.slice(1), 16) : text.charCodeAt(0),
      ),
    );
  } catch {
    return null;
  }
};

export const framesSubject = (bench: string, channel: string): string =>
  `busbar.${bench}.frames.${subjectToken(channel)}`;

export const signalsSubject = (bench: string, channel: string, message: string): string =>
  `busbar.${bench}.signals.${subjectToken(channel)}.${subjectToken(message)}`;

export const pdusSubject = (bench: string): string => `busbar.${bench}.pdus`;
export const eventsSubject = (bench: string): string => `busbar.${bench}.events`;
export const logSubject = (bench: string): string => `busbar.${bench}.log`;

export interface FramesSubject {
  readonly bench: string;
  readonly channel: string;
}

/** The bench and the channel of a subject with frames; null for other subjects. */
export const parseFramesSubject = (subject: string): FramesSubject | null => {
  const [root, bench = '', kind, token = '', ...rest] = subject.split('.');
  if (root !== 'busbar' || kind !== 'frames' || rest.length > 0) return null;
  const channel = nameOfToken(token);
  return channel === null || benchNameError(bench) !== null ? null : { bench, channel };
};
