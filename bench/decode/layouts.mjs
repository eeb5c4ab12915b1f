// Messages that all competitors can decode.

const signal = (name, startBit, length, byteOrder, given = {}) => ({
  name,
  startBit,
  length,
  byteOrder,
  isSigned: false,
  factor: '1',
  offset: '0',
  mux: null,
  isSwitch: false,
  ...given,
});

const motorolaStart = (first) => (first & ~7) | (7 - (first & 7));

const inARow = (lengths, byteOrder, given) => {
  let first = 0;
  return lengths.map((length, at) => {
    const start = byteOrder === 'intel' ? first : motorolaStart(first);
    first += length;
    return signal(`S${at}`, start, length, byteOrder, given(at));
  });
};

const lengths = [12, 7, 1, 12, 16, 3, 10, 3];
const scaled = (at) => ({
  isSigned: at % 2 === 1,
  factor: ['0.1', '1', '0.5', '0.01'][at % 4],
  offset: ['0', '-40', '0', '5'][at % 4],
});

const multiplexed = [
  signal('Page', 0, 8, 'intel', { isSwitch: true }),
  ...Array.from({ length: 8 }, (_, page) =>
    inARow([16, 16, 12, 12], 'intel', scaled).map((one, at) => ({
      ...one,
      name: `P${page}S${at}`,
      startBit: one.startBit + 8,
      mux: { name: 'Page', value: page },
    })),
  ).flat(),
];

export const layouts = [
  { name: 'intel8', length: 8, signals: inARow(lengths, 'intel', scaled), decoded: 8, pages: 0 },
  {
    name: 'motorola8',
    length: 8,
    signals: inARow(lengths, 'motorola', scaled),
    decoded: 8,
    pages: 0,
  },
  {
    name: 'nibbles',
    length: 8,
    signals: inARow(Array(16).fill(4), 'intel', () => ({})),
    decoded: 16,
    pages: 0,
  },
  {
    name: 'wide',
    length: 8,
    signals: inARow([40, 24], 'intel', scaled),
    decoded: 2,
    pages: 0,
  },
  {
    name: 'fd64',
    length: 64,
    signals: Array.from({ length: 8 }, (_, part) =>
      inARow(lengths, part % 2 === 0 ? 'intel' : 'motorola', scaled).map((one) => ({
        ...one,
        name: `B${part}${one.name}`,
        startBit: one.startBit + part * 64,
      })),
    ).flat(),
    decoded: 64,
    pages: 0,
  },
  { name: 'multiplexed', length: 8, signals: multiplexed, decoded: 5, pages: 8 },
];

/** Frames that every competitor decodes repeatedly. */
export const frameCount = 1024;

/** Payloads of all frames of a layout; deterministic. */
export const payloadsOf = (length, pages) => {
  const bytes = new Uint8Array(frameCount * length);
  let state = 12345;
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[at] = state >>> 16;
    if (pages > 0 && at % length === 0) bytes[at] %= pages;
  }
  return bytes;
};
