export const redactedMark = '[redacted]';

export type Scrub = (text: string) => string;

const maxPercentDepth = 3;
/** Shorter base64 would match ordinary words. */
const minBase64Core = 4;
const percent = 0x25;

const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * Pattern of the secret inside base64 of a longer text such as `user:secret`, at one of three
 * offsets. Characters shared with neighbouring bytes are not matched, but are removed with the
 * match.
 */
const base64Pattern = (secret: string, lead: 0 | 1 | 2): string | undefined => {
  const bytes = Buffer.concat([Buffer.alloc(lead), Buffer.from(secret, 'utf8')]);
  const core = bytes
    .toString('base64')
    .slice(Math.ceil((lead * 8) / 6), Math.floor((bytes.length * 8) / 6));
  if (core.length < minBase64Core) return undefined;
  const eitherAlphabet = core.replaceAll('/', '[/_]').replace(/\+/g, '[+-]');
  const seam = '[A-Za-z0-9+_-]?';
  return `${lead === 0 ? '' : seam}${eitherAlphabet}${bytes.length % 3 === 0 ? '' : seam}={0,2}`;
};

const formsOf = (secret: string): readonly string[] => {
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = ([0, 1, 2] as const).map((lead) => base64Pattern(secret, lead));
  return [
    literally(toBytes(secret)),
    literally(toBytes(json)),
    ...base64.filter((pattern) => pattern !== undefined),
  ];
};

const nibble = (byte = 0): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
};

const percentDecoded = (text: string): string => {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let index = 0; index < bytes.length; length++) {
    const escaped = nibble(bytes[index + 1]) * 16 + nibble(bytes[index + 2]);
    const isEscape = bytes[index] === percent && !Number.isNaN(escaped);
    bytes[length] = isEscape ? escaped : (bytes[index] ?? 0);
    index += isEscape ? 3 : 1;
  }
  return bytes.toString('latin1', 0, length);
};

const shows = (text: string, secrets: RegExp): boolean => {
  let decoded = text;
  for (let depth = 0; depth <= maxPercentDepth; depth++) {
    if (decoded.search(secrets) >= 0) return true;
    if (!decoded.includes('%')) return false;
    decoded = percentDecoded(decoded);
  }
  return false;
};

/**
 * Removes as little as possible: the secret; if one remains percent-encoded, its path segment;
 * if one spans segments or a replacement completes one, the whole text.
 */
const withoutSecrets = (text: string, secrets: RegExp): string => {
  const segments = text
    .replace(secrets, redactedMark)
    .split('/')
    .map((segment) => (shows(segment, secrets) ? redactedMark : segment))
    .join('/');
  return shows(segments, secrets) ? redactedMark : segments;
};

/**
 * Last line of defense: removes the secrets from every logged string, plain, percent-encoded,
 * JSON-escaped or in base64.
 */
export const compileScrub = (secrets: readonly string[]): Scrub => {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf);
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(forms.join('|'), 'g');
  return (text) => {
    const bytes = toBytes(text);
    return shows(bytes, pattern) ? fromBytes(withoutSecrets(bytes, pattern)) : text;
  };
};
