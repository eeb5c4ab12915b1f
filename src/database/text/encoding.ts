export type TextEncoding = 'utf-8' | 'gb18030' | 'windows-1252' | 'shift_jis';

/**
 * Characters of windows-1252 at 0x80 to 0x9f. Decoders that treat it as latin1 return control
 * characters there.
 */
const windowsPunctuation = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const isPunctuation = (byte: number): boolean => byte >= 0x80 && byte <= 0x9f;

const decodeWindows1252 = (bytes: Uint8Array): string => {
  const first = bytes.findIndex(isPunctuation);
  if (first < 0) return new TextDecoder('latin1').decode(bytes);
  const codes = new Uint16Array(bytes);
  for (let at = first; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (isPunctuation(code)) codes[at] = windowsPunctuation.charCodeAt(code - 0x80);
  }
  return new TextDecoder('utf-16le').decode(codes);
};

const decodeStrictly = (label: string, bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

/**
 * Detects Chinese text: bytes above 0x7f in pairs, several in a row, or the sign ℃. In
 * windows-1252 such bytes occur alone between letters (`°C`, `für`), although each would also
 * form a pair with the next letter.
 */
const looksChinese = (bytes: Uint8Array): boolean => {
  let highPairs = 0;
  let mixedPairs = 0;
  let distinctive = false;
  let run = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      run = 0;
      continue;
    }
    const trail = bytes[at + 1] ?? 0;
    at += 1;
    if (lead === 0x80 || lead === 0xff || trail < 0x30 || trail === 0x7f) return false;
    if (trail < 0xa1) {
      mixedPairs += 1;
      run = 0;
      continue;
    }
    highPairs += 1;
    run += 1;
    if (run >= 2 || (lead === 0xa1 && trail === 0xe6)) distinctive = true;
  }
  return distinctive && highPairs > 3 * mixedPairs;
};

export const decodeText = (
  bytes: Uint8Array,
  known?: TextEncoding,
): { text: string; encoding: TextEncoding } => {
  if (known === 'windows-1252') return { text: decodeWindows1252(bytes), encoding: known };
  if (known !== undefined) return { text: new TextDecoder(known).decode(bytes), encoding: known };
  // The decoder removes a byte order mark.
  const unicode = decodeStrictly('utf-8', bytes);
  if (unicode !== null) return { text: unicode, encoding: 'utf-8' };
  const chinese = looksChinese(bytes) ? decodeStrictly('gb18030', bytes) : null;
  if (chinese !== null) return { text: chinese, encoding: 'gb18030' };
  return { text: decodeWindows1252(bytes), encoding: 'windows-1252' };
};
