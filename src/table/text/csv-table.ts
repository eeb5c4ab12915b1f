import { csvCell } from '../../base/csv/csv-cell.ts';
import type { TableFormatParts, WideShape } from '../table-format.ts';
import { type LongDialect, LongTextEncoder } from './long-text.ts';
import { samplesPerTextPart, textAssembler } from './text-assembler.ts';
import { type WideDialect, WideTextEncoder } from './wide-text.ts';

const cell = (text: string | null): string => (text === null || text === '' ? '' : csvCell(text));

const longDialect: LongDialect = {
  start: '',
  head: ({ channel, message, signal }) => `Z,${[channel, message, signal].map(cell).join(',')},`,
  middle: ',',
  nothing: ',',
  tail: ({ unit }, label) => `,${cell(unit)},${label === '' ? '""' : cell(label)}\n`,
  quote: '',
};

const wideDialect: WideDialect = {
  start: '',
  channel: (name) => (name === null ? 'Z' : `Z,${cell(name)}`),
  before: () => ',',
  skipped: ',',
  end: '\n',
  cell: (_, text) => text,
  quote: () => '',
};

const headOf = ({ columns, hold }: WideShape): string => {
  const names = columns.map(({ name }) => name);
  return `${['time', ...(hold ? [] : ['channel']), ...names].map(cell).join(',')}\n`;
};

export const csvTable: TableFormatParts = {
  samplesPerPart: samplesPerTextPart,
  encoder: (shape) =>
    shape ? new WideTextEncoder(shape, wideDialect) : new LongTextEncoder(longDialect, ''),
  assembler: (shape) =>
    textAssembler(shape ? headOf(shape) : 'time,channel,message,signal,value,number,unit,label\n'),
};
