import type { WireRecord } from '../modbus/client/wire-record.ts';
import { lineTime } from './line-stream.ts';

const spaced = (hex: string): string => hex.replace(/..(?=.)/g, '$& ');

/** `(1699999999.123456)  tx  01 03 00 00 00 01 84 0A`, one per line. */
export const wireLines = (records: readonly WireRecord[]): string =>
  records
    .map(({ timestamp_us, direction, data }) => {
      return `${lineTime(timestamp_us)}  ${direction}  ${spaced(data)}\n`;
    })
    .join('');
