import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { OutputFormat } from '../../operations/global-options.ts';
import { hintOf } from './hint.ts';
import type { Palette } from './palette.ts';

/** A failure for stderr: code, message and what to do next, as text or as one JSON object. */
export const renderError = (
  format: OutputFormat,
  error: BusbarError,
  palette: Palette,
  command?: readonly string[],
): string => {
  const hint = hintOf(error, command);
  if (format === 'json' || format === 'jsonl') {
    const record = { error: { ...error.toRecord(), details: error.details, hint } };
    return `${JSON.stringify(record, null, format === 'json' ? 2 : undefined)}\n`;
  }
  const lines = [
    `${palette.bad('busbar:')} ${palette.strong(error.code)}: ${error.message}`,
    ...(hint ? [`  ${palette.faint('hint:')} ${hint}`] : []),
  ];
  return `${lines.join('\n')}\n`;
};
