import type { FrameRow } from '../../trace-core/frame-row.ts';
import { hexByte, hexText } from '../../trace-core/frame-text.ts';

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

const nodeOf = ({ text, isMarked }: { text: string; isMarked: boolean }): Node => {
  if (!isMarked) return document.createTextNode(text);
  const mark = document.createElement('mark');
  mark.textContent = text;
  return mark;
};

/** Fills a cell with the data of a row, the bytes marked that changed lately. */
export const paintBytes = (cell: HTMLElement, row: FrameRow): void => {
  if (row.changedLow === 0 && row.changedHigh === 0) {
    cell.textContent = hexText(row.data);
    return;
  }
  const nodes = runsOf(row).flatMap((run, i) =>
    i === 0 ? [nodeOf(run)] : [document.createTextNode(' '), nodeOf(run)],
  );
  cell.replaceChildren(...nodes);
};
