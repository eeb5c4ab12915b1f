import type { Columns } from '../../operations/define.ts';
import type { OutputFormat } from '../../operations/global-options.ts';
import { renderCsv } from './csv.ts';
import type { Palette } from './palette.ts';
import { renderText } from './text.ts';

export const renderResult = (
  format: OutputFormat,
  value: unknown,
  palette: Palette,
  columns?: Columns,
): string => {
  switch (format) {
    case 'json':
      return `${JSON.stringify(value, null, 2)}\n`;
    case 'jsonl':
      return `${JSON.stringify(value)}\n`;
    case 'csv':
      return renderCsv(value);
    default:
      return renderText(value, palette, columns);
  }
};
