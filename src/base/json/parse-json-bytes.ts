import { JsonParseError, refusal } from './json-parse-error.ts';
import type { JsonValue } from './json-value.ts';
import { type ParseJsonOptions, parseJson } from './parse-json.ts';

// A byte order mark stays in the text, where the parser rejects it.
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const textBeforeError = (bytes: Uint8Array): string => {
  const repaired = new TextEncoder().encode(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  );
  let sound = 0;
  while (sound < bytes.length && bytes[sound] === repaired[sound]) sound += 1;
  // An invalid sequence can start like the replacement character; streaming drops it.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, sound), {
    stream: true,
  });
};

const decode = (bytes: Uint8Array): string => {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    const text = textBeforeError(bytes);
    throw refusal(
      text,
      new JsonParseError('bad_utf8', text.length, 'the bytes are not valid UTF-8'),
      [],
    );
  }
};

export const parseJsonBytes = (bytes: Uint8Array, options: ParseJsonOptions = {}): JsonValue =>
  parseJson(decode(bytes), options);
