import type { TableFormatParts, WideShape } from '../table-format.ts';
import { type LongDialect, LongTextEncoder, numberText } from './long-text.ts';
import { samplesPerTextPart, textAssembler } from './text-assembler.ts';
import { type WideDialect, WideTextEncoder } from './wide-text.ts';

const json = JSON.stringify;

const longDialect: LongDialect = {
  start: '{"time":"',
  head: ({ channel, message, signal }) =>
    `Z","channel":${json(channel)},"message":${json(message)},"signal":${json(signal)},"value":`,
  middle: ',"number":',
  nothing: 'null,"number":null',
  tail: ({ unit }, label) => `,"unit":${json(unit)},"label":${json(label)}}\n`,
  quote: '"',
};

/** Whole numbers that a double cannot represent are strings. */
const wideDialect = ({ columns }: WideShape): WideDialect => {
  const isText = columns.map(({ type }) => type !== 'integer' && type !== 'double');
  return {
    start: '{"time":"',
    channel: (name) => (name === null ? 'Z"' : `Z","channel":${json(name)}`),
    before: (column) => `,${json(columns[column]?.name)}:`,
    skipped: '',
    end: '}\n',
    cell: (column, text) => (isText[column] ? json(text) : numberText(text)),
    quote: (column) => (isText[column] ? '"' : ''),
  };
};

export const jsonlTable: TableFormatParts = {
  samplesPerPart: samplesPerTextPart,
  encoder: (shape) =>
    shape
      ? new WideTextEncoder(shape, wideDialect(shape))
      : new LongTextEncoder(longDialect, 'null'),
  assembler: () => textAssembler(''),
};
