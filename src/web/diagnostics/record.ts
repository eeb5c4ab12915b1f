import { type LogLevel, logLevels } from '../../operations/limits.ts';
import type { Scrub } from './secrets.ts';

export type RecordLevel = Exclude<LogLevel, 'off'>;

export const admits = (kept: LogLevel, level: RecordLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(kept);

export interface DiagnosticRecord {
  readonly timeUs: number;
  readonly level: RecordLevel;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const maxText = 1024;
const cutMark = '...[cut]';

const isoMicroseconds = (unixUs: number): string => {
  const milliseconds = new Date(Math.floor(unixUs / 1000)).toISOString().slice(0, -1);
  return `${milliseconds}${String(unixUs % 1000).padStart(3, '0')}Z`;
};

const capped = (text: string): string =>
  text.length <= maxText ? text : text.slice(0, maxText) + cutMark;

/**
 * Escapes everything except printable ASCII: line breaks, terminal control characters and
 * direction marks. A JSON parser restores the original text.
 */
const printable = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const encodeRecord = (record: DiagnosticRecord, scrub: Scrub): string => {
  const time = isoMicroseconds(record.timeUs);
  const head = JSON.stringify({ time, level: record.level, event: record.event });
  // Secrets are removed before the text is cut, since a cut could leave half a secret.
  const fields = JSON.stringify(record.fields, (_key, value: unknown) =>
    typeof value === 'string' ? capped(scrub(value)) : value,
  );
  return printable(fields === '{}' ? head : `${head.slice(0, -1)},${fields.slice(1)}`);
};
