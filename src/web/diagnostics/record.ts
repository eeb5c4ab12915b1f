import { type LogLevel, logLevels } from '../../operations/limits.ts';
import type { Scrub } from './secrets.ts';

/** The level of a record; nothing is ever written at `off`. */
export type RecordLevel = Exclude<LogLevel, 'off'>;

/** Whether a log kept at `kept` takes records of `level`: each level adds to the ones before it. */
export const admits = (kept: LogLevel, level: RecordLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(kept);

/** A record before it is a line. Key order is the order on the line. */
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
 * Leaves printable ASCII only. Besides line breaks of every kind this takes away what could steer a
 * terminal or swap the order of what it shows; a JSON reader gets the original text back.
 */
const printable = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The record as one line of JSON, without its line end, every text in its fields scrubbed. */
export const encodeRecord = (record: DiagnosticRecord, scrub: Scrub): string => {
  const time = isoMicroseconds(record.timeUs);
  const head = JSON.stringify({ time, level: record.level, event: record.event });
  // Scrubbed before it is cut: the first half of a secret must not survive at the cut.
  const fields = JSON.stringify(record.fields, (_key, value: unknown) =>
    typeof value === 'string' ? capped(scrub(value)) : value,
  );
  return printable(fields === '{}' ? head : `${head.slice(0, -1)},${fields.slice(1)}`);
};
