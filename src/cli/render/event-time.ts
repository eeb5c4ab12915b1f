import { invalidArgument } from '../../base/errors/busbar-error.ts';
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

/** Rejects a time style for CSV and JSON, which contain timestamp_us. */
export const refuseTime = (style: TimeStyle | undefined): void => {
  if (style === undefined) return;
  throw invalidArgument(
    'time',
    '--time applies to text output only; other formats contain timestamp_us',
    { reason: 'text_only' },
  );
};
