import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { OutputFormat } from '../../operations/global-options.ts';
import type { TimeStyle } from '../../operations/message-schemas.ts';

const microsPerSecond = 1_000_000;

const seconds = (us: number, width: number): string => {
  const sign = us < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(us) / microsPerSecond);
  const fraction = String(Math.abs(us) % microsPerSecond).padStart(6, '0');
  return `(${sign}${String(whole).padStart(width, '0')}.${fraction})`;
};

const date = (timestampUs: number): string => {
  const text = new Date(Math.floor(timestampUs / 1000)).toISOString().slice(0, -1);
  return `(${text}${String(timestampUs % 1000).padStart(3, '0')}Z)`;
};

/** Times in candump's styles. */
export class EventTime {
  readonly #style: TimeStyle;
  #origin: number | undefined;

  constructor(style: TimeStyle = 'absolute') {
    this.#style = style;
  }

  of(timestampUs: number): string {
    if (this.#style === 'absolute') return seconds(timestampUs, 1);
    if (this.#style === 'date') return date(timestampUs);
    const elapsedUs = timestampUs - (this.#origin ?? timestampUs);
    if (this.#style === 'delta' || this.#origin === undefined) this.#origin = timestampUs;
    return seconds(elapsedUs, 3);
  }
}

export interface TextOptions {
  readonly time?: TimeStyle;
  readonly notation?: boolean;
}

const textOnly = (field: string, advice: string) =>
  invalidArgument(field, `--${field} applies to text output only; ${advice}`, {
    reason: 'text_only',
  });

/** Rejects options that the output has no use for. */
export const checkTextOptions = (
  { time, notation }: TextOptions,
  { format, isDecoded }: { readonly format: OutputFormat; readonly isDecoded: boolean },
): void => {
  if (format !== 'text') {
    if (time !== undefined) throw textOnly('time', 'other formats contain timestamp_us');
    if (notation === true) throw textOnly('notation', 'other formats contain each field');
  }
  if (notation !== true || !isDecoded) return;
  throw invalidArgument('notation', '--notation has no place for signals: omit --decode', {
    reason: 'exclusive',
    with: ['decode'],
  });
};
