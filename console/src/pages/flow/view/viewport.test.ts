import { describe, expect, it } from 'vitest';
import { firstView, fitted, inSight, kept, revealing, zoomed } from './viewport.ts';

const window = { width: 1000, height: 500 };

describe('the view of a drawing', () => {
  it('keeps the point under the pointer where it is while it is zoomed', () => {
    const view = zoomed({ x: 10, y: 20, scale: 1 }, 2, 110, 220);
    expect(view).toEqual({ scale: 2, x: -90, y: -180 });
    expect(zoomed(view, 0.5, 110, 220)).toEqual({ scale: 1, x: 10, y: 20 });
  });

  it('has its limits', () => {
    expect(zoomed({ x: 0, y: 0, scale: 1 }, 100, 0, 0).scale).toBe(2.5);
    expect(zoomed({ x: 0, y: 0, scale: 1 }, 0, 0, 0).scale).toBe(0.02);
    const away = kept({ x: 5000, y: -5000, scale: 1 }, { width: 800, height: 400 }, window);
    expect(away).toEqual({ x: 936, y: -336, scale: 1 });
  });

  it('fits a drawing into the window, and shows only what can be read of a large one', () => {
    expect(fitted({ width: 2000, height: 500 }, window)).toEqual({ scale: 0.5, x: 0, y: 125 });
    expect(fitted({ width: 10, height: 10 }, window).scale).toBe(1.25);
    const large = firstView({ width: 1200, height: 60_000 }, window);
    expect(large).toEqual({ scale: 1000 / 1200, x: 0, y: 0 });
  });

  it('tells what is in sight', () => {
    expect(inSight({ x: -100, y: 50, scale: 2 }, window)).toEqual({
      ...{ left: 50, top: -25, right: 550, bottom: 225 },
    });
  });

  it('moves no further than it takes to show a box', () => {
    const view = { x: 0, y: 0, scale: 1 };
    const box = { left: 100, top: 100, right: 200, bottom: 124 };
    expect(revealing(view, box, window)).toEqual(view);
    expect(revealing(view, { ...box, left: 1100, right: 1200 }, window)).toEqual({
      ...view,
      x: -224,
    });
    expect(revealing(view, { ...box, top: -50, bottom: -26 }, window)).toEqual({ ...view, y: 74 });
  });
});
