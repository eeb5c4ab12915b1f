import { describe, expect, it } from 'vitest';
import { eventKindCode } from '../frame/frm2-layout.ts';
import { TwinFilter } from './twin-filter.ts';

const { rx_frame: rx, tx_complete: tx } = eventKindCode;
const id = 0x1cecff00;

/** Asks with a frame of six bytes. */
const asksOf = (filter: TwinFilter) => ({
  isTwin: (kind: number, frameId: number, first: number, last: number, atUs: number) =>
    filter.isTwin(kind, frameId, Uint8Array.of(0, first, 0, 0, 0, 0, last), 1, 6, atUs),
});

describe('TwinFilter', () => {
  it.each([
    ['sent, then received', tx, rx],
    ['received, then sent', rx, tx],
  ])('drops the second report of a frame: %s', (_, first, second) => {
    const filter = asksOf(new TwinFilter());
    expect(filter.isTwin(first, id, 1, 2, 1000)).toBe(false);
    expect(filter.isTwin(second, id, 1, 2, 1100)).toBe(true);
  });

  it.each([
    ['another identifier', id + 1, 1, 2, 1000],
    ['other data', id, 3, 2, 1000],
    ['other data at the end', id, 1, 3, 1000],
    ['a time more than 20 ms later', id, 1, 2, 21_001],
  ])('keeps a frame with %s', (_, otherId, first, second, atUs) => {
    const filter = asksOf(new TwinFilter());
    filter.isTwin(tx, id, 1, 2, 1000);
    expect(filter.isTwin(rx, otherId, first, second, atUs)).toBe(false);
  });

  it('accepts a twin exactly 20 ms later, and one with an earlier time', () => {
    const late = asksOf(new TwinFilter());
    late.isTwin(tx, id, 1, 2, 1000);
    expect(late.isTwin(rx, id, 1, 2, 21_000)).toBe(true);
    const early = asksOf(new TwinFilter());
    early.isTwin(tx, id, 1, 2, 21_000);
    expect(early.isTwin(rx, id, 1, 2, 1000)).toBe(true);
  });

  it('keeps a frame of another length', () => {
    const filter = new TwinFilter();
    const bytes = Uint8Array.of(1, 2, 3, 4, 0, 0);
    expect(filter.isTwin(tx, id, bytes, 0, 4, 1000)).toBe(false);
    expect(filter.isTwin(rx, id, bytes, 0, 6, 1000)).toBe(false);
    expect(filter.isTwin(rx, id, bytes, 0, 4, 1000)).toBe(true);
  });

  it('keeps a repeat on the same side', () => {
    const filter = asksOf(new TwinFilter());
    expect(filter.isTwin(rx, id, 1, 2, 1000)).toBe(false);
    expect(filter.isTwin(rx, id, 1, 2, 1001)).toBe(false);
  });

  it('pairs two equal frames one to one', () => {
    const filter = asksOf(new TwinFilter());
    const kinds = [tx, tx, rx, rx, rx];
    expect(kinds.map((kind) => filter.isTwin(kind, id, 1, 2, 1000))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('remembers 16 frames', () => {
    const filter = asksOf(new TwinFilter());
    for (let i = 0; i < 17; i++) filter.isTwin(tx, id, i, 0, 1000);
    expect(filter.isTwin(rx, id, 16, 0, 1000)).toBe(true);
    expect(filter.isTwin(rx, id, 1, 0, 1000)).toBe(true);
    expect(filter.isTwin(rx, id, 0, 0, 1000)).toBe(false);
  });
});
