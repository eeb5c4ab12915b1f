import { decodeText, type TextEncoding } from '../encoding.ts';

/** Finds the codes of all characters of a one- or two-byte encoding by decoding every code. */
const codesOf = (label: TextEncoding): Map<string, readonly number[]> => {
  const codes = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(label, { fatal: true });
  for (let lead = 0x80; lead <= 0xff; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      try {
        const text = decoder.decode(Uint8Array.of(lead, trail));
        if ([...text].length === 1 && !codes.has(text)) codes.set(text, [lead, trail]);
      } catch {}
    }
  }
  return codes;
};

const windowsCodes = (): Map<string, readonly number[]> => {
  const upper = Array.from({ length: 128 }, (_, index) => 128 + index);
  return new Map(
    [...decodeText(Uint8Array.from(upper), 'windows-1252').text].map((c, i) => [c, [128 + i]]),
  );
};

/** Encodes a string in the specified encoding if it has all characters, otherwise in UTF-8. */
export const encodeText = (text: string, encoding: TextEncoding): Uint8Array => {
  const unicode = new TextEncoder().encode(text);
  if (encoding === 'utf-8' || unicode.length === text.length) return unicode;
  const codes = encoding === 'windows-1252' ? windowsCodes() : codesOf(encoding);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (code < 0x80) {
      bytes.push(code);
      continue;
    }
    const found = codes.get(character);
    if (found === undefined) return unicode;
    for (const byte of found) bytes.push(byte);
  }
  const encoded = Uint8Array.from(bytes);
  // A reader has to detect the encoding; UTF-8 is never mistaken.
  return decodeText(encoded).text === text ? encoded : unicode;
};
