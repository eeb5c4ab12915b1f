import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canErrorClass } from '../../../src/frame/can-error-frame.ts';
import { dlcToLength } from '../../../src/frame/dlc.ts';
import { frm2Channel } from '../../../src/frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { createAsc } from '../../../src/trace/asc/asc-writer.ts';
import { createCandump } from '../../../src/trace/candump/candump-writer.ts';
import { createMf4 } from '../../../src/trace/mf4/create-mf4.ts';
import { FileSink } from '../../../src/trace/testing/memory-bytes.ts';
import { TraceBatch } from '../../../src/trace/trace-batch.ts';
import { exportTrace, loadWriter } from './export-trace.ts';
import { FrameChunk } from './frame-chunk.ts';
import { noNames } from './message-names.ts';
import { aRecord, brs, error, extended, fd, remote } from './testing/records.ts';

const startUs = 1_700_000_000_123_456;
const { enhancedChecksum, checksumError, noResponse, syncBreak, wakeUp, sleep } = frameFlag;
const sent = eventKindCode.tx_complete;
const { lin, canfd } = busCode;
const nameOf = (number: number): string => (number === 1 ? 'power train' : `can${number - 1}`);

/** One event of every kind that both formats can contain. */
const records = [
  { id: 0x123, data: 'DEADBEEF' },
  { id: 0x18ff50e5, flags: extended, kind: sent },
  { channel: 1, id: 7, flags: remote, dlc: 4 },
  { channel: 1, id: 7, flags: remote, dlc: 12 },
  { channel: 6, id: 1, data: '11'.repeat(8), dlc: 12 },
  { channel: 11, bus: canfd, id: 0x2a, flags: fd | brs, dlc: 9, data: '22'.repeat(12) },
  { bus: canfd, id: 0x1fffffff, flags: fd | extended | frameFlag.esi, kind: sent },
  { flags: error, id: 0 },
  { flags: error, id: 0x2a4, data: '0020001900008000' },
  { flags: error, id: 0x2a0, dlc: 8, data: '000000190000800000000003' },
  { flags: error, id: 0x2a0, dlc: 8, data: '000000190000800000005208' },
  { flags: error, id: 0x204, dlc: 8, data: '0008000000007F0000000000' },
  { flags: error, id: 0x200, dlc: 8, data: '000000000000010200000000' },
  { flags: error, id: 0, dlc: 0, status: 8, data: '00000000' },
  { flags: error, id: 0, dlc: 0, status: 9, data: '00000000' },
  { bus: lin, channel: 4, id: 0x21, data: '0102', checksum: 0x9a, flags: enhancedChecksum },
  { bus: lin, id: 0x21, data: '0102', checksum: 0x9a, flags: checksumError, kind: sent },
  { bus: lin, id: 0x21, flags: noResponse },
  { bus: lin, id: 0x21, flags: error, dlc: 2, data: '0102' },
  { bus: lin, id: 0, flags: syncBreak },
  { bus: lin, id: 0, flags: wakeUp, dlc: 1, data: '80' },
  { bus: lin, id: 0, flags: wakeUp },
  { bus: lin, id: 0x3c, flags: sleep },
  { bus: lin, id: 0, flags: error, dlc: 0, status: 8, data: '00000000' },
].map((fields, at) => aRecord({ timestampUs: startUs + at, ...fields }));

/** Any frame or error of a bus, as reported by a driver. */
const anyFlags = (...flags: number[]): fc.Arbitrary<number> =>
  fc.subarray(flags).map((chosen) => chosen.reduce((all, flag) => all | flag, 0));
const anyHex = (length: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => Buffer.from(bytes).toString('hex'));
const anyPlace = {
  channel: fc.integer({ min: 0, max: 20 }),
  kind: fc.constantFrom(eventKindCode.rx_frame, sent),
};
const anyIdentifier = fc.oneof(
  fc.record({ id: fc.integer({ min: 0, max: 0x7ff }), format: fc.constant(0) }),
  fc.record({ id: fc.integer({ min: 0, max: 0x1fffffff }), format: fc.constant(extended) }),
);
const anyCan = fc
  .record({ ...anyPlace, at: anyIdentifier, dlc: fc.nat(15), isRemote: fc.boolean() })
  .chain(({ at, isRemote, ...rest }) =>
    anyHex(isRemote ? 0 : Math.min(rest.dlc, 8)).map((data) => {
      const flags = at.format | (isRemote ? remote : 0);
      return { ...rest, bus: busCode.can, id: at.id, flags, data };
    }),
  );
const anyFd = fc
  .record({ ...anyPlace, at: anyIdentifier, dlc: fc.nat(15), more: anyFlags(brs, frameFlag.esi) })
  .chain(({ at, more, ...rest }) =>
    anyHex(dlcToLength(rest.dlc, true)).map((data) => {
      return { ...rest, bus: canfd, id: at.id, flags: fd | more | at.format, data };
    }),
  );
/** One error frame has no count, as `withErrorCount` writes it; state reports have one, which is 0. */
const anyError = fc
  .record({
    channel: anyPlace.channel,
    id: fc.integer({ min: 0, max: 0x3ff }),
    length: fc.constantFrom(0, 8),
    count: fc.constantFrom(null, 0, 2, 5),
  })
  .chain(({ id, length, count, channel }) =>
    anyHex(length).map((details) => ({
      channel,
      id: count === null ? id | canErrorClass.busError : id,
      flags: error,
      dlc: length,
      data: count === null ? details : `${details}${count.toString(16).padStart(8, '0')}`,
    })),
  );
const anyLin = fc
  .record({ ...anyPlace, id: fc.nat(0x3f), dlc: fc.nat(8), checksum: fc.nat(0xff) })
  .chain((rest) =>
    fc
      .tuple(anyHex(rest.dlc), anyFlags(enhancedChecksum, checksumError))
      .map(([data, flags]) => ({ ...rest, bus: lin, flags, data })),
  );
const anyRecords = fc.array(fc.oneof(anyCan, anyFd, anyError, anyLin), { maxLength: 40 });

const writers = { asc: createAsc, candump: createCandump, mf4: createMf4 };
type Format = keyof typeof writers;

/** Text as it is, and other bytes as hex. */
const shown = (bytes: Buffer, format: Format): string =>
  bytes.toString(format === 'mf4' ? 'hex' : 'utf8');

const exported = async (events: DataView[], format: Format): Promise<string> => {
  const chunk = new FrameChunk(events.length);
  for (const record of events) chunk.addRecord(record);
  const { pieces } = await exportTrace(
    events.map((_, row) => ({ chunk, row })),
    await loadWriter(format),
    startUs,
    {
      channelName: (slot) => nameOf(slot + 1),
      channelNumber: (slot) => slot + 1,
      names: noNames,
    },
    async () => {},
  );
  return shown(Buffer.concat(pieces), format);
};

const recorded = (events: DataView[], format: Format): string => {
  const sink = new FileSink();
  const writer = writers[format](sink, { startUnixUs: startUs, channelName: nameOf });
  const batch = new TraceBatch(events.length);
  for (const record of events) {
    batch.appendFrm2(record, 0, startUs, frm2Channel(record, 0) + 1);
  }
  writer.write(batch, 0, batch.count);
  writer.end();
  // A recording is never empty, because it may continue; an export is complete.
  return shown(sink.bytes(), format).replace('# no frames up to here\n', '');
};

/** Both use one writer per format; the console stores rows in columns. */
describe('a file that the console exports', () => {
  it.each(['asc', 'candump', 'mf4'] as const)(
    'is the %s file that the service records',
    async (format) => {
      const files = await Promise.all(records.map((record) => exported([record], format)));
      expect(files).toEqual(records.map((record) => recorded([record], format)));
    },
  );

  it.each(['asc', 'candump', 'mf4'] as const)(
    'is that %s file, whatever the bus carries',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(anyRecords, fc.nat(2_000_000_000), async (fields, laterUs) => {
          const events = fields.map((each, at) =>
            aRecord({ ...each, timestampUs: startUs + at * laterUs }),
          );
          expect(await exported(events, format)).toBe(recorded(events, format));
        }),
      );
    },
  );
});
