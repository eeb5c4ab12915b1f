import { type LogLevel, logLevels } from '../../operations/limits.ts';

/** The level of a record; nothing is ever written at `off`. */
export type RecordLevel = Exclude<LogLevel, 'off'>;

/** Whether a log kept at `kept` takes records of `level`: each level adds to the ones before it. */
export const admits = (kept: LogLevel, level: RecordLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(kept);
