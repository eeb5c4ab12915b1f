import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventObject } from '../../frame/event-json.ts';
import { sampleChannel, sampleRecord } from '../testing/sample-events.ts';
import { EventCsv } from './event-csv.ts';
import { EventJsonl } from './event-jsonl.ts';
import { gapText, type StreamGap, viewOf } from './event-renderer.ts';

const gap: StreamGap = {
  event: 'gap',
  oldest_available: 5001,
  newest_available: 13_193,
  missed: 1200,
};

const linesOf = (bytes: Uint8Array): unknown[] =>
  Buffer.from(bytes)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const anyEvent = fc.record({
  channel: fc.nat({ max: 2 }),
  eventId: fc.nat(),
  id: fc.nat({ max: 0x1fff_ffff }),
  flags: fc.nat({ max: 0x3fff }),
  data: fc.uint8Array({ maxLength: 64 }),
});

const selectors = ['SIM00001/0', 'Prüfstand, "1"/1', '2'];
const announced = [
  { slot: 0, selector: 'SIM00001/0', name: 'pt' },
  { slot: 1, selector: 'Prüfstand, "1"/1', name: null },
];

describe('EventJsonl', () => {
  it('prints every event of every batch as its object, announced or not', () => {
    const jsonl = new EventJsonl();
    jsonl.learn(announced);
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        const records = events.map(sampleRecord);
        const expected = records.map((record, index) =>
          eventObject(viewOf(record), 0, selectors[events[index]?.channel ?? 0] ?? ''),
        );
        expect(linesOf(jsonl.render(Buffer.concat(records)))).toEqual(expected);
      }),
    );
  });

  it('has room for a batch of the shortest events', () => {
    const jsonl = new EventJsonl();
    jsonl.learn([sampleChannel]);
    const short = sampleRecord({ data: new Uint8Array(0), eventId: 2 ** 53 - 1 });
    expect(linesOf(jsonl.render(Buffer.concat(Array(1000).fill(short))))).toHaveLength(1000);
  });

  it('has gaps among the events', () => {
    expect(JSON.parse(new EventJsonl().gap(gap))).toEqual(gap);
    expect(new EventJsonl().head).toBe('');
  });
});

describe('EventCsv', () => {
  it('has a head of the fields and a row for every event', () => {
    const csv = new EventCsv();
    csv.learn(announced);
    expect(csv.head).toBe(
      'event_id,source_sequence,stream_epoch,kind,bus,channel,selector,id,extended,remote,fd,brs,esi,error,dlc,data,flags,status,timestamp_us,hardware_sequence,filter_hit,checksum,count\n',
    );
    expect(csv.render(Buffer.concat([sampleRecord(), sampleRecord({ eventId: 2 })]))).toBe(
      '1,1,0,rx_frame,can,0,SIM00001/0,291,false,false,false,false,false,false,4,DEADBEEF,0,0,1699999999123456,0,0,0,\n' +
        '2,1,0,rx_frame,can,0,SIM00001/0,291,false,false,false,false,false,false,4,DEADBEEF,0,0,1699999999123456,0,0,0,\n',
    );
  });

  it('has the count of error frames behind errors alone', () => {
    const csv = new EventCsv();
    const data = Uint8Array.of(0, 0, 0, 0x19, 0, 0, 0x80, 0, 0, 0, 2, 1);
    const error = sampleRecord({ flags: 0x20, status: 2, dlc: 8, data });
    expect(csv.render(error)).toMatch(/,8,0000001900008000,32,2,\d+,0,0,0,513\n$/);
  });

  it('quotes a selector that needs it', () => {
    const csv = new EventCsv();
    csv.learn(announced);
    expect(csv.render(sampleRecord({ channel: 1 }))).toContain(',1,"Prüfstand, ""1""/1",291,');
  });

  it('has no place for gaps', () => {
    expect(new EventCsv().gap()).toBeNull();
  });
});

describe('gapText', () => {
  it.each([
    [1200, 'gap: 1200 events lost; oldest available 5001, newest 13193\n'],
    [1, 'gap: 1 event lost; oldest available 5001, newest 13193\n'],
    [null, 'gap: events lost; oldest available 5001, newest 13193\n'],
  ])('tells how many are missing: %s', (missed, text) => {
    expect(gapText({ ...gap, missed }, 5)).toBe(text);
  });

  it('says that a cursor lies in the future', () => {
    expect(gapText({ ...gap, missed: null }, 13_194)).toBe(
      'gap: --after=13194 is ahead of the newest event; oldest available 5001, newest 13193\n',
    );
  });
});
