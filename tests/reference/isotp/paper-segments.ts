/** Rules of a channel of messages in one direction. */
export interface Rules {
  readonly fd: boolean;
  /** Data length of a full frame. */
  readonly txDl: number;
  readonly addressByte: number | null;
  readonly padding: number | null;
  readonly blockSize: number;
  readonly stMin: number;
  readonly maxLength: number;
}

const dataLengths = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64];

/** Address byte, the bytes, and filling up to a length that exists. */
export const paperFrame = (rules: Rules, bytes: readonly number[]): number[] => {
  const { addressByte, padding } = rules;
  const full = addressByte === null ? [...bytes] : [addressByte, ...bytes];
  if (padding !== null) while (full.length < 8) full.push(padding);
  while (!dataLengths.includes(full.length)) full.push(padding ?? 0xcc);
  return full;
};

/** Frames of a message, as the tables of ISO 15765-2 show them. */
export const paperSegments = (rules: Rules, payload: readonly number[]): number[][] => {
  const room = rules.txDl - (rules.addressByte === null ? 0 : 1);
  const shortRoom = room - (rules.txDl - 8) - 1;
  const { length } = payload;
  if (length <= shortRoom) return [paperFrame(rules, [length, ...payload])];
  if (rules.txDl > 8 && length <= room - 2) return [paperFrame(rules, [0, length, ...payload])];
  const head =
    length < 4096
      ? [0x10 + Math.floor(length / 256), length % 256]
      : [0x10, 0, 24, 16, 8, 0].map((at, i) => (i < 2 ? at : Math.floor(length / 2 ** at) % 256));
  const frames = [paperFrame(rules, [...head, ...payload.slice(0, room - head.length)])];
  for (let at = room - head.length; at < length; at += room - 1) {
    const part = payload.slice(at, at + room - 1);
    frames.push(paperFrame(rules, [0x20 + (frames.length % 16), ...part]));
  }
  return frames;
};

export interface HeardFrame {
  readonly us: number;
  /** Empty when a flow control of the receiver was sent. */
  readonly data: readonly number[];
}

/** Payload of a single or first frame, as far as the frame holds it, and its announced length. */
const opening = (bytes: readonly number[]): { length: number; data: number[] } | null => {
  const [first = -1, second = -1] = bytes;
  if (first >= 1 && first <= 15) return { length: first, data: bytes.slice(1) };
  if (first === 0) return { length: second, data: bytes.slice(2) };
  if (first < 0x10 || first > 0x1f) return null;
  const length = (first - 0x10) * 256 + second;
  if (length > 0) return { length, data: bytes.slice(2) };
  return {
    length: bytes.slice(2, 6).reduce((sum, byte) => sum * 256 + byte, 0),
    data: bytes.slice(6),
  };
};

/**
 * What a receiver reports for the frames that reached it: payloads as `ok …`, and failures. Each
 * message is read from its opening to the next one, when all frames are known.
 */
export const paperOutcomes = (
  rules: Rules,
  heard: readonly HeardFrame[],
  nCrUs: number,
): string[] => {
  const skip = rules.addressByte === null ? 0 : 1;
  const parts = heard.map(({ us, data }) => ({ us, size: data.length, bytes: data.slice(skip) }));
  const starts = parts.flatMap(({ bytes }, i) => (opening(bytes) ? [i] : []));
  return starts.map((start, i) => {
    const { us, size, bytes } = parts[start] as (typeof parts)[number];
    const { length, data } = opening(bytes) as { length: number; data: number[] };
    if (length <= data.length) return `ok ${data.slice(0, length).join()}`;
    if (length > rules.maxLength) return 'response_too_long';
    let lastUs = us;
    let sequence = 0;
    const next = starts[i + 1] ?? parts.length;
    for (const part of parts.slice(start + 1, next)) {
      if (part.us - lastUs >= nCrUs) return 'consecutive_frame_timeout';
      if (part.size === 0) lastUs = part.us;
      const [pci = -1, ...more] = part.bytes;
      if (pci < 0x20 || pci > 0x2f) continue;
      const isLast = data.length + more.length >= length;
      if (part.size > size || (part.size < size && !isLast)) continue;
      sequence = (sequence + 1) % 16;
      if (pci !== 0x20 + sequence) return 'sequence_error';
      data.push(...more);
      lastUs = part.us;
      if (isLast) return `ok ${data.slice(0, length).join()}`;
    }
    const endUs = parts[next]?.us ?? Number.POSITIVE_INFINITY;
    return endUs - lastUs >= nCrUs ? 'consecutive_frame_timeout' : 'replaced';
  });
};
