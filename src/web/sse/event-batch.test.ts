import { describe, expect, it } from 'vitest';
import { Scratch } from '../../base/scratch-pool.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { ChannelTexts } from '../../frame/channel-texts.ts';
import { eventObject } from '../../frame/event-json.ts';
import { EventBatch } from './event-batch.ts';

const epoch = 123_456_789_012;

const openBatch = (selectorOf = (slot: number) => `SIM00001/${slot}`): EventBatch =>
  new EventBatch(new Scratch(), epoch, new ChannelTexts(selectorOf));

const textOf = ({ scratch, start, end }: EventBatch): string =>
  scratch.bytes.toString('latin1', start, end);

describe('EventBatch', () => {
  it.each([0, 8, 64])('writes an event with %i bytes of payload as its JSON', (length) => {
    const batch = openBatch();
    const { view } = stagedRecords([length], 42);
    expect(batch.addRecord(view, 0)).toBe(true);
    const expected = { ...eventObject(view, 0, 'SIM00001/3'), stream_epoch: epoch };
    expect(textOf(batch)).toBe(`id: 42\nevent: message\ndata: ${JSON.stringify(expected)}\n\n`);
  });

  it('asks for the selector of a channel once', () => {
    const asked: number[] = [];
    const batch = openBatch((slot) => {
      asked.push(slot);
      return 'x';
    });
    batch.addRecord(stagedRecords([8], 1, 3).view, 0);
    batch.addRecord(stagedRecords([8], 2, 4).view, 0);
    batch.addRecord(stagedRecords([8], 3, 3).view, 0);
    expect(asked).toEqual([3, 4]);
    expect(textOf(batch).match(/"channel":\d/g)).toEqual([
      '"channel":3',
      '"channel":4',
      '"channel":3',
    ]);
  });

  it.each([17, null])('tells a gap with where to resume, %s missed', (missed) => {
    const batch = openBatch();
    batch.addGap({ oldestAvailable: 41, newestAvailable: 99 }, missed);
    expect(textOf(batch)).toBe(
      `id: 40\nevent: gap\ndata: {"oldest_available":41,"newest_available":99,"missed":${missed}}\n\n`,
    );
  });

  it('makes the events one chunk', () => {
    const batch = openBatch();
    batch.addText(': 26 characters of comment\n');
    const end = batch.sealChunk();
    expect(batch.scratch.bytes.toString('latin1', 0, end)).toBe(
      '0000001b\r\n: 26 characters of comment\n\r\n',
    );
  });

  it('keeps to its memory, with room for a gap and the end of the chunk', () => {
    const batch = openBatch();
    const { view } = stagedRecords([64], Number.MAX_SAFE_INTEGER);
    while (batch.hasRoom) expect(batch.addRecord(view, 0)).toBe(true);
    const largest = Number.MAX_SAFE_INTEGER;
    batch.addGap({ oldestAvailable: largest, newestAvailable: largest }, largest);
    expect(textOf(batch).endsWith('}\n\n')).toBe(true);
    expect(batch.sealChunk()).toBeLessThanOrEqual(batch.scratch.bytes.length);
    while (batch.addRecord(view, 0));
    expect(batch.sealChunk()).toBeLessThanOrEqual(batch.scratch.bytes.length);
  });
});
