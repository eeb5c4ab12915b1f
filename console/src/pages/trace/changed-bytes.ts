import { formatHex, hexByte } from '../../../../src/frame/hex-bytes.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';

const isChanged = ({ changedLow, changedHigh }: FrameRow, byte: number): boolean =>
  (((byte < 32 ? changedLow : changedHigh) >>> (byte & 31)) & 1) !== 0;

/** Neighbouring bytes that have all changed lately, or none of them. */
const runsOf = (row: FrameRow): { text: string; isMarked: boolean }[] => {
  const runs: { text: string; isMarked: boolean }[] = [];
  for (let i = 0; i < row.length; i++) {
    const isMarked = isChanged(row, i);
    const text = hexByte(row.data[i] as number);
    const last = runs.at(-1);
    if (last?.isMarked === isMarked) last.text += ` ${text}`;
    else runs.push({ text, isMarked });
  }
  return runs;
};

/** A cell with data in it: which bytes are marked, and the text of each run of them. */
interface Painted {
  readonly shape: string;
  readonly texts: readonly Text[];
}

const painted = new WeakMap<HTMLElement, Painted>();

/** Puts a text for each run into the cell, blanks between them. */
const layOut = (cell: HTMLElement, marks: readonly boolean[]): readonly Text[] => {
  const texts = marks.map(() => document.createTextNode(''));
  const nodes = texts.flatMap((text, i) => {
    const mark = marks[i] ? document.createElement('mark') : null;
    mark?.append(text);
    return i === 0 ? [mark ?? text] : [document.createTextNode(' '), mark ?? text];
  });
  cell.replaceChildren(...nodes);
  return texts;
};

const write = (text: Text | undefined, wanted: string): void => {
  if (text && text.data !== wanted) text.data = wanted;
};

/**
 * Fills a cell with the data of a row, the bytes marked that changed lately. Marks come and go far
 * less often than data does, so what is in the cell mostly stays and gets another text.
 */
export const paintBytes = (cell: HTMLElement, row: FrameRow): void => {
  const { changedLow, changedHigh, length } = row;
  const isPlain = changedLow === 0 && changedHigh === 0;
  const runs = isPlain
    ? [{ text: formatHex(row.data, ' ', length), isMarked: false }]
    : runsOf(row);
  const shape = isPlain ? '' : `${changedLow} ${changedHigh} ${length}`;
  let known = painted.get(cell);
  if (known?.shape !== shape) {
    const texts = layOut(
      cell,
      runs.map(({ isMarked }) => isMarked),
    );
    known = { shape, texts };
    painted.set(cell, known);
  }
  for (const [i, { text }] of runs.entries()) write(known.texts[i], text);
};
