import { describe, expect, it } from 'vitest';
import { RowScroll } from './row-scroll.ts';

const rowHeight = 24;

const setUp = (rows: number) => {
  const scroller = { scrollTop: 0, clientHeight: 480 };
  const scroll = new RowScroll(scroller, rowHeight);
  scroll.resize(rows);
  return { scroller, scroll };
};

describe('the position of a table', () => {
  it('is that of its scroller while the rows fit an element', () => {
    const { scroller, scroll } = setUp(1000);
    scroller.scrollTop = 240;
    scroll.read();
    expect(scroll).toMatchObject({ top: 240, height: 1000 * rowHeight, isScaled: false });
    scroll.moveTo(4800);
    expect([scroller.scrollTop, scroll.top]).toEqual([4800, 4800]);
  });

  it('reaches all of ten million rows', () => {
    const { scroller, scroll } = setUp(10_000_000);
    expect(scroll.isScaled).toBe(true);
    scroller.scrollTop = scroll.height - scroller.clientHeight;
    scroll.read();
    expect(scroll.top).toBe(10_000_000 * rowHeight - scroller.clientHeight);
    scroller.scrollTop = 0;
    scroll.read();
    expect(scroll.top).toBe(0);
  });

  it('moves by single rows in ten million, although a pixel is several', () => {
    const { scroller, scroll } = setUp(10_000_000);
    scroller.scrollTop = 7_500_000;
    scroll.read();
    const before = scroll.top;
    scroll.moveTo(before + rowHeight);
    // The event of that move.
    scroll.read();
    expect(scroll.top).toBe(before + rowHeight);
  });
});
