import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../src/base/testing/long.ts';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { compressMf4 } from '../../../src/trace/mf4/compress-mf4.ts';
import { createMf4 } from '../../../src/trace/mf4/create-mf4.ts';
import { readMf4 } from '../../../src/trace/mf4/read-mf4.ts';
import { arbitraryEvents } from '../../../src/trace/testing/arbitrary-trace.ts';
import { FileSink, MemorySource } from '../../../src/trace/testing/memory-bytes.ts';
import { batchOf, readTrace, type TraceEvent } from '../../../src/trace/testing/trace-events.ts';
import { traceDetail } from '../../../src/trace/trace-batch.ts';
import { type PaperFile, type PaperRow, readOnPaper } from './paper-reader.ts';

const startUnixUs = 1_767_225_600_123_456;
const seed = 20260116;

const has = (event: TraceEvent, flag: number): boolean => (event.flags & flag) !== 0;
const bit = (isSet: boolean): bigint => (isSet ? 1n : 0n);
const hexOf = (data: readonly number[]): string => Buffer.from(data).toString('hex');

const canMembers = (event: TraceEvent, data: readonly number[]): PaperRow['members'] => ({
  BusChannel: BigInt(event.channel),
  ID: BigInt(event.id),
  IDE: bit(has(event, frameFlag.extended)),
  DLC: BigInt(event.dlc),
  Dir: bit(event.kind === eventKindCode.tx_complete),
  DataLength: BigInt(data.length),
  ...(!has(event, frameFlag.remote) && {
    EDL: bit(has(event, frameFlag.fd)),
    BRS: bit(has(event, frameFlag.brs)),
    ESI: bit(has(event, frameFlag.esi)),
    DataBytes: hexOf(data),
  }),
});

const detailOf = ({ detail = 0 }: TraceEvent, bits: number): boolean => (detail & bits) !== 0;

const linStructure = (event: TraceEvent): string => {
  const isSync = has(event, frameFlag.syncBreak) || detailOf(event, traceDetail.syncError);
  if (isSync) return 'LIN_SyncError';
  if (has(event, frameFlag.wakeUp)) return 'LIN_WakeUp';
  if (has(event, frameFlag.noResponse)) return 'LIN_TransmissionError';
  if (has(event, frameFlag.error)) return 'LIN_ReceiveError';
  return has(event, frameFlag.checksumError) ? 'LIN_ChecksumError' : 'LIN_Frame';
};

const linModel = (event: TraceEvent): bigint => {
  if (has(event, frameFlag.enhancedChecksum)) return 1n;
  return detailOf(event, traceDetail.noModel) ? -1n : 0n;
};

/** What the standard's members of a record are for an event. */
const expected = (event: TraceEvent): PaperRow => {
  const timeNs = BigInt(event.timeNs);
  if (event.bus === busCode.lin) {
    return {
      structure: linStructure(event),
      timeNs,
      members: {
        BusChannel: BigInt(event.channel),
        ID: BigInt(event.id),
        Dir: bit(event.kind === eventKindCode.tx_complete),
        ReceivedDataByteCount: BigInt(event.data.length),
        DataLength: BigInt(event.dlc),
        Checksum: BigInt(event.checksum),
        ChecksumModel: linModel(event),
        DataBytes: hexOf(event.data),
      },
    };
  }
  if (has(event, frameFlag.error)) {
    const members = canMembers(event, event.data.slice(0, 8));
    return { structure: 'CAN_ErrorFrame', timeNs, members };
  }
  const structure = has(event, frameFlag.remote) ? 'CAN_RemoteFrame' : 'CAN_DataFrame';
  return { structure, timeNs, members: canMembers(event, event.data) };
};

const isOurs = (name: string): boolean => name.startsWith('Busbar') || name.startsWith('Error');

const withoutOurs = ({ structure, timeNs, members }: PaperRow): PaperRow => ({
  structure,
  timeNs,
  members: Object.fromEntries(Object.entries(members).filter(([name]) => !isOurs(name))),
});

/** Events in the order of the file, or of the groups if they are separate. */
const rowsOf = ({ groups }: PaperFile): PaperRow[] => {
  const rows = groups.flat().filter(({ structure }) => structure !== 'Busbar_Remark');
  if (groups.length > 1) {
    rows.sort((a, b) => Number(a.members.BusbarOrder) - Number(b.members.BusbarOrder));
  }
  return rows.map(withoutOurs);
};

const orderOf = (row: PaperRow): number => Number(row.members.BusbarOrder);

interface Written {
  readonly growing: Buffer;
  readonly finished: Buffer;
}

const write = (events: readonly TraceEvent[]): Written => {
  const sink = new FileSink();
  const writer = createMf4(sink, {
    startUnixUs,
    channelName: (channel) => (channel % 2 === 0 ? null : `port ${channel} <&>`),
    attachments: [{ name: 'engine.dbc', mime: 'application/x-dbc', bytes: Buffer.from('VERSION') }],
  });
  const batch = batchOf(events);
  writer.note(0, 'begins "here" & <now>');
  writer.write(batch, 0, batch.count);
  const growing = sink.bytes();
  writer.end();
  return { growing, finished: sink.bytes() };
};

const compressed = (file: Uint8Array): Buffer => {
  const sink = new FileSink();
  for (const _ of compressMf4(new MemorySource(file), sink));
  return sink.bytes();
};

const runs = { numRuns: cases(6, 100), seed };

describe('MF4 files of random recordings, read on paper', () => {
  it('contain every event, finished and growing', () => {
    fc.assert(
      fc.property(arbitraryEvents(), (events) => {
        const { growing, finished } = write(events);
        for (const [file, isFinalized] of [
          [growing, false],
          [finished, true],
        ] as const) {
          const paper = readOnPaper(file);
          expect(rowsOf(paper)).toEqual(events.map(expected));
          expect(paper).toMatchObject({
            isFinalized,
            version: '4.11',
            startNs: BigInt(startUnixUs) * 1000n,
            attachments: [{ name: 'engine.dbc', mime: 'application/x-dbc' }],
            events: isFinalized ? [{ timeNs: 0n, text: 'begins "here" & <now>' }] : [],
          });
          expect(Buffer.from(paper.attachments[0]?.bytes ?? []).toString()).toBe('VERSION');
        }
      }),
      runs,
    );
  });

  it('contain the same events in the same order when they are compressed', () => {
    fc.assert(
      fc.property(arbitraryEvents(), fc.boolean(), (events, isFinished) => {
        const { growing, finished } = write(events);
        const file = compressed(isFinished ? finished : growing);
        const paper = readOnPaper(file);
        expect(rowsOf(paper)).toEqual(events.map(expected));
        expect(paper).toMatchObject({
          isFinalized: true,
          startNs: BigInt(startUnixUs) * 1000n,
          attachments: [{ name: 'engine.dbc' }],
          events: [{ timeNs: 0n, text: 'begins "here" & <now>' }],
        });
        for (const group of paper.groups) {
          const order = group.map(orderOf);
          expect(order).toEqual([...order].sort((a, b) => a - b));
        }
        expect(readTrace(readMf4, file).events).toEqual(events);
      }),
      runs,
    );
  });

  it('are cut at any byte without a loss before it', () => {
    fc.assert(
      fc.property(arbitraryEvents(1), fc.nat({ max: 2000 }), (events, lost) => {
        const { growing } = write(events);
        const dataAt = growing.lastIndexOf('##DT') + 24;
        const cut = growing.subarray(0, Math.max(dataAt, growing.length - lost));
        const rows = rowsOf(readOnPaper(cut));
        expect(rows).toEqual(events.slice(0, rows.length).map(expected));
        const { events: ours } = readTrace(readMf4, cut);
        expect(ours).toEqual(events.slice(0, rows.length));
      }),
      runs,
    );
  });

  it('name the channels in the comment of the file', () => {
    const [events = []] = fc.sample(arbitraryEvents(40), { numRuns: 1, seed });
    const { comment } = readOnPaper(write(events).finished);
    const odd = [...new Set(events.map(({ channel }) => channel))].filter((each) => each % 2 === 1);
    for (const channel of odd) expect(comment).toContain(`>port ${channel} &lt;&amp;&gt;</e>`);
    expect(comment).not.toContain('port 2');
  });
});
