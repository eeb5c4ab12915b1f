import type { BitIndex } from '../../codec/signal-bits.ts';
import { levels, seenBefore } from '../../trace-core/bit-changes.ts';
import type { ChangesReport, IdChanges } from '../../trace-core/id-report.ts';

export interface ChangesRow extends IdChanges {
  /** Data of the last frame. */
  readonly data: Uint8Array;
  /** Level of each bit; 0 for those that did not change or are hidden. */
  readonly levels: Uint8Array;
  /** Changed bits that are not hidden. */
  readonly changed: number;
  /** Changed bits that are hidden. */
  readonly hidden: number;
}

export interface HiddenBits {
  /** Hides bits that changed before the mark. */
  readonly isSeenHidden: boolean;
  /** Bits of an ID that are ignored. */
  readonly ignoredOf: (id: IdChanges) => ReadonlySet<BitIndex>;
}

const levelMask = seenBefore - 1;

const rowOf = (
  id: IdChanges,
  { data, cells }: ChangesReport,
  { isSeenHidden, ignoredOf }: HiddenBits,
): ChangesRow => {
  const ignored = ignoredOf(id);
  const shown = new Uint8Array(8 * id.length);
  let [changed, hidden] = [0, 0];
  for (let bit = 0; bit < shown.length; bit++) {
    const cell = cells[8 * id.from + bit] as number;
    const level = cell & levelMask;
    if (level === 0) continue;
    if ((isSeenHidden && (cell & seenBefore) !== 0) || ignored.has(bit)) {
      hidden++;
      continue;
    }
    shown[bit] = level;
    changed++;
  }
  return {
    ...id,
    data: data.subarray(id.from, id.from + id.length),
    levels: shown,
    changed,
    hidden,
  };
};

/** Rows of all IDs. With a mark, those without new bits disappear if seen ones are hidden. */
export const changesRows = (report: ChangesReport, hiding: HiddenBits): readonly ChangesRow[] => {
  const rows = report.ids.map((id) => rowOf(id, report, hiding));
  if (!hiding.isSeenHidden || report.markUs === null) return rows;
  return rows.filter(({ changed, isNew }) => changed > 0 || isNew);
};

interface Placed {
  readonly name: string;
  readonly bits: readonly BitIndex[];
}

export interface NameSpan {
  /** Null for bits without a signal. */
  readonly name: string | null;
  readonly bits: number;
}

/** Names over the bits 7 to 0 of a byte. The first of overlapping signals is shown. */
export const nameSpans = (signals: readonly Placed[], byte: number): readonly NameSpan[] => {
  const spans: { name: string | null; bits: number }[] = [];
  for (let bit = 7; bit >= 0; bit--) {
    const place = 8 * byte + bit;
    const name = signals.find(({ bits }) => bits.includes(place))?.name ?? null;
    const last = spans.at(-1);
    if (last && last.name === name) last.bits++;
    else spans.push({ name, bits: 1 });
  }
  return spans;
};

export const stripSize = { width: 392, height: 19 } as const;
const barHeight = stripSize.height - 2;
/** Longer frames have a bar for each byte. */
const maxBytesOfBits = 8;
const byteGap = 2;

const byteWidth = (bytes: number): number =>
  Math.floor(stripSize.width / Math.max(maxBytesOfBits, bytes));

/** A line under each byte. */
export const stripBase = (bits: number): string =>
  Array.from({ length: bits / 8 }, (_, byte) => {
    const width = byteWidth(bits / 8);
    return `M${byte * width} ${barHeight}h${width - byteGap}v1h${byteGap - width}z`;
  }).join('');

/** Bars from left to right: bits from 7 to 0 of each byte, or bytes of a long frame. */
export const stripBars = (bits: Uint8Array): string => {
  const bytes = bits.length / 8;
  const step = byteWidth(bytes);
  const isByBit = bytes <= maxBytesOfBits;
  const width = isByBit ? (step - byteGap) / 8 : step - byteGap;
  const bar = (x: number, level: number): string =>
    level === 0
      ? ''
      : `M${x} ${barHeight}h${width - 0.5}v${(-barHeight * level) / levels.mostly}h${0.5 - width}z`;
  return Array.from({ length: bytes }, (_, byte) => {
    const own = bits.subarray(8 * byte, 8 * byte + 8);
    if (!isByBit) return bar(byte * step, Math.max(...own));
    return Array.from(own, (level, bit) => bar(byte * step + (7 - bit) * width, level)).join('');
  }).join('');
};

/** Numbers as `0, 2–4`. */
export const runsText = (numbers: Iterable<number>): string => {
  const runs: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
};

/** `bytes 0, 2–4` */
export const changedBytesText = (bits: Uint8Array): string => {
  const bytes = [...bits.keys()].filter((bit) => bits[bit]).map((bit) => bit >> 3);
  if (bytes.length === 0) return '–';
  return `${new Set(bytes).size === 1 ? 'byte' : 'bytes'} ${runsText(bytes)}`;
};
