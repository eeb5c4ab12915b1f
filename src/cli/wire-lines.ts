import { lineTime } from './line-stream.ts';

/** Raw bytes as the daemon sends them. */
export interface WireRecord {
  readonly timestamp_us: number;
  readonly direction: 'tx' | 'rx';
  readonly data: string;
}

const spaced = (hex: string): string => hex.replace(/..(?=.)/g, '$& ');

/** `(1699999999.123456)  tx  01 03 00 00 00 01 84 0A`, a line each. */
export const wireLines = (records: readonly WireRecord[]): string =>
  records
    .map(({ timestamp_us, direction, data }) => {
      return `${lineTime(timestamp_us)}  ${direction}  ${spaced(data)}\n`;
    })
    .join('');
