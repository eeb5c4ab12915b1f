import { describe, expect, it } from 'vitest';
import { readAsc } from './asc/asc-reader.ts';
import { readBlf } from './blf/read-blf.ts';
import { container, file, object } from './blf/testing/blf-bytes.ts';
import { readTrace } from './testing/trace-events.ts';

const skippedInAsc = (line: string): string[] => {
  const text = `date Fri Mar 14 02:41:07.250 pm 2025\nbase hex  timestamps absolute\n1.0 ${line}\n`;
  return Object.keys(readTrace(readAsc, Buffer.from(text)).account.skipped);
};

const skippedInBlf = (type: number, body: Uint8Array): string[] =>
  Object.keys(readTrace(readBlf, file(container(object(type, body)))).account.skipped);

/** The flags of a sleep object say that the bus is awake. */
const awake = Uint8Array.of(3, 0, 9, 2, 0, 0, 0, 0);

describe('what is passed over', () => {
  it.each([
    ['1 OverloadFrame', 3],
    ['1 Statistic: D 25 R 0 XD 3 XR 0 E 1 O 0 B 4.50%', 4],
    ['log trigger event', 5],
    ['Li 23 DlcInfo 4', 13],
    ['Li SchedModChng prior scheduler mode = 0, next scheduler mode = 1', 17],
    ['Li SlaveTimeout slave-id = 1, current state = 2, following state = 3', 16],
    ['Li Baudrate 19200', 19],
    ['Li Dominant signal detected 300 microseconds', 64],
    ['Li SleepModeEvent 0 leaving sleep mode', 20],
    ['Li 23 CSInfo Using classic checksum', 42],
    ['Li Spike Rx 3 microseconds', 63],
    ['Li Unexpected wakeup: approx. 300 us', 87],
    ['Li 23 4 ShortOrSlowResponse: NumRespBytes = 1 12', 88],
    ['Li DisturbanceEvent 1', 89],
    ['SV: 2 0 0 ::Space::Var = 12', 72],
    ['Comment: 105 some text', 92],
  ])('has one name in ASC and BLF: %s', (line, type) => {
    const names = skippedInAsc(line);
    expect(names).toHaveLength(1);
    expect(skippedInBlf(type, awake)).toEqual(names);
  });
});
