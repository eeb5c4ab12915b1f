import { describe, expect, it } from 'vitest';
import { eventKindCode } from '../../../src/frame/frm2-layout.ts';
import { twinRow } from './frame-chunk.ts';
import { markTwin } from './mark-twin.ts';
import { aChunk, error } from './testing/records.ts';

const tx = eventKindCode.tx_complete;
const { none, first, further } = twinRow;

const twinsOf = (...frames: Parameters<typeof aChunk>): number[] => {
  const chunk = aChunk(...frames);
  for (let row = 0; row < chunk.count; row++) markTwin(chunk, row);
  return [...chunk.twin.subarray(0, chunk.count)];
};

describe('a frame that is sent and received again', () => {
  it('is found on each channel that receives it', () => {
    const sent = { id: 1, data: '01', timestampUs: 1000 };
    const twins = twinsOf(
      { ...sent, kind: tx },
      { ...sent, channel: 1 },
      { ...sent, channel: 2, timestampUs: 1400 },
      { ...sent, id: 2, channel: 1 },
    );
    expect(twins).toEqual([first, further, further, none]);
  });

  it('is found where it is received first, by a clock that differs a little', () => {
    const twins = twinsOf({ timestampUs: 995, channel: 1 }, { timestampUs: 1000, kind: tx });
    expect(twins).toEqual([first, further]);
  });

  it('is the one that is nearest in time', () => {
    const times = [1000, 1200, 1001, 1201];
    const kinds = [tx, tx, eventKindCode.rx_frame, eventKindCode.rx_frame];
    const twins = twinsOf(
      ...times.map((timestampUs, at) => ({ timestampUs, kind: kinds[at] ?? tx })),
    );
    expect(twins).toEqual([first, first, further, further]);
  });

  it.each([
    ['another direction', { kind: tx }],
    ['the same data', { data: '02' }],
    ['the same length', { data: '0100' }],
    ['the same time', { timestampUs: 4000 }],
    ['no error', { flags: error }],
  ])('has %s', (_, other) => {
    const twins = twinsOf(
      { data: '01', timestampUs: 1000, kind: tx },
      { data: '01', timestampUs: 1000, channel: 1, ...other },
    );
    expect(twins).toEqual([none, none]);
  });

  it('is no frame that a route forwards to another bus', () => {
    const twins = twinsOf({ timestampUs: 1000 }, { timestampUs: 1080, channel: 1, kind: tx });
    expect(twins).toEqual([none, none]);
  });
});
