import { describe, expect, it } from 'vitest';
import { network } from '../../database/ldf/testing/read-text.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { MemorySource } from '../../trace/testing/memory-bytes.ts';
import { type DecodeRequest, decodeSettingsOf } from './decode-request.ts';
import { TraceDecode } from './decode-trace.ts';
import { summarizeSignals } from './summarize-signals.ts';
import { timeLimitsOf } from './time-limit.ts';

const ldf = network({
  signals: `Signals {
  Speed: 8, 1, M, A;
  Lamp: 2, 0, M, A, B;
  Name: 16, {48, 48}, A, M;
}`,
  frames: `Frames {
  Command: 1, M, 2 { Speed, 0; Lamp, 8; }
  Answer: 2, A, 2 { Name, 0; }
}`,
  encodings: `Signal_encoding_types {
  Volt {
    physical_value, 0, 100, 0.5, 7, "V";
    physical_value, 101, 200, 10, 0, "mV";
    logical_value, 255, "invalid";
  }
  Switch { logical_value, 0, "off"; logical_value, 1, "on"; }
  Ascii { ascii_value; }
}`,
  representation: 'Signal_representation { Volt: Speed; Switch: Lamp; Ascii: Name; }',
});

const asc = [
  'date Thu Jan 1 00:00:00.000 2026',
  'base hex  timestamps absolute',
  'internal events logged',
  '0.100000 L1 1               Rx     2 03 01  checksum = FA  CSM = enhanced',
  '0.200000 L1 1               Rx     2 78 00  checksum = 86  CSM = enhanced',
  '0.300000 L1 1               Rx     2 FF 03  checksum = FB  CSM = enhanced',
  '0.400000 L1 2               Rx     2 31 32  checksum = 5A  CSM = enhanced',
  '0.500000 L1 7               Rx     1 00  checksum = 38  CSM = enhanced',
  '0.600000 1  1             Rx   d 2 03 01',
  '',
].join('\n');

const request = {
  file: 'bus.asc',
  output: 'bus.csv',
  databases: [{ file: 'doors.ldf' }],
} satisfies DecodeRequest;
const encode = (text: string) => new TextEncoder().encode(text);
const settings = decodeSettingsOf(request, 'csv', () => encode(ldf));
const reader = () => openTrace(new MemorySource(encode(asc)));
const limits = timeLimitsOf(undefined, undefined);

describe('LIN frames of a trace with an LDF', () => {
  it('become rows with the values, units and labels of their ranges', () => {
    const parts: Buffer[] = [];
    const write = (bytes: Uint8Array) => void parts.push(Buffer.from(bytes));
    const { file, output } = request;
    const steps = new TraceDecode({
      file,
      output,
      reader: reader(),
      settings,
      limits,
      write,
    }).run();
    let step = steps.next();
    while (!step.done) step = steps.next();
    // The CAN frame with the identifier of a LIN frame is another one.
    expect(step.value).toMatchObject({ read: 6, decoded: 4, unknown: 2 });
    const rows = Buffer.concat(parts)
      .toString()
      .split('\n')
      .map((line) => line.replace(/^[^,]*,/, ''));
    expect(rows.slice(1, -1)).toEqual([
      'L1,Command,Speed,8.5,8.5,V,',
      'L1,Command,Lamp,1,1,,on',
      'L1,Command,Speed,1200,1200,mV,',
      'L1,Command,Lamp,0,0,,off',
      'L1,Command,Speed,,,,invalid',
      'L1,Command,Lamp,3,3,,',
      'L1,Answer,Name,12,,,',
    ]);
  });

  it('are counted by message and signal', async () => {
    const { messages } = await summarizeSignals(
      { file: request.file, reader: reader(), settings, limits },
      () => undefined,
    );
    expect(messages).toMatchObject([
      { message: 'Answer', signals: [{ first: '12', minimum: null, maximum: null }] },
      {
        message: 'Command',
        count: 3,
        signals: [
          { signal: 'Speed', count: 3, first: '8.5', last: null, minimum: '8.5', maximum: '1200' },
          { signal: 'Lamp', count: 3, minimum: '0', maximum: '3' },
        ],
      },
    ]);
  });

  it('are refused with the name of a file that is no database', () => {
    const arxml = () => encode('<?xml version="1.0"?><AUTOSAR xmlns="x">');
    const details = { field: 'databases', file: 'doors.ldf', format: 'arxml' };
    expect(() => decodeSettingsOf(request, 'csv', arxml)).toThrow(
      expect.objectContaining({
        code: 'unsupported_database',
        details: expect.objectContaining(details),
      }),
    );
  });
});
