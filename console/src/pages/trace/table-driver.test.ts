import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubPage } from '../../api/testing/stub-page.ts';

class Idle {
  observe(): void {}
  disconnect(): void {}
  postMessage(): void {}
  addEventListener(): void {}
}

beforeEach(() => {
  stubPage('#trace');
  // Loaded with the columns: text is measured on a canvas.
  const element = { getContext: () => null };
  vi.stubGlobal('document', { ...document, createElement: () => element });
  vi.stubGlobal('Worker', Idle);
  vi.stubGlobal('ResizeObserver', Idle);
  vi.stubGlobal('cancelAnimationFrame', () => {});
});
afterEach(() => vi.unstubAllGlobals());

/** A followed table at its end. */
const setUp = async () => {
  const { TableDriver } = await import('./table-driver.ts');
  const { isPaused } = await import('./trace-state.ts');
  const scroller = { scrollTop: 600, scrollHeight: 1000, clientHeight: 400 };
  const nodes = { scroller, sizer: {}, table: {}, body: { replaceChildren: () => {} } };
  const driver = new TableDriver(
    'frames',
    nodes as unknown as ConstructorParameters<typeof TableDriver>[1],
    [],
    () => {},
  );
  return { scroller, driver, isPaused, stop: driver.start() };
};

describe('a followed table', () => {
  it('is held where it is scrolled up', async () => {
    const { scroller, driver, isPaused, stop } = await setUp();
    scroller.scrollTop = 500;
    driver.scrolled();
    expect(isPaused.value).toBe(true);
    stop();
  });

  it('goes on where it lost height since it was scrolled to its end', async () => {
    const { scroller, driver, isPaused, stop } = await setUp();
    scroller.clientHeight = 340;
    driver.scrolled();
    expect(isPaused.value).toBe(false);
    stop();
  });
});
