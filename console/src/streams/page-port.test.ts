import { describe, expect, it, vi } from 'vitest';
import { PagePort, type Port } from './page-port.ts';
import type { StreamAnswer } from './stream-messages.ts';

const setUp = () => {
  const clock = { ms: 0 };
  const posted: StreamAnswer[] = [];
  const port: Port = {
    onmessage: null,
    postMessage: (answer) => posted.push(answer),
    addEventListener: () => {},
  };
  const page = new PagePort(port, () => clock.ms);
  const onGone = vi.fn();
  page.onGone = onGone;
  return { clock, posted, page, onGone };
};

const aPiece = { type: 'piece', text: 'x', position: 1, isFirst: false } as const;

describe('PagePort', () => {
  it('sends a heartbeat to a page that had nothing to process for long', () => {
    const { clock, posted, page, onGone } = setUp();
    clock.ms = 5001;
    page.check();
    expect(posted).toEqual([{ type: 'heartbeat' }]);
    page.receive({ type: 'ack' });
    clock.ms = 10_003;
    page.check();
    expect(posted).toHaveLength(2);
    expect(onGone).not.toHaveBeenCalled();
  });

  it('ends the port of a page that acknowledges nothing any more', () => {
    const { clock, posted, page, onGone } = setUp();
    page.post(aPiece, 1);
    clock.ms = 60_001;
    page.check();
    page.post(aPiece, 1);
    expect(posted).toEqual([aPiece, { type: 'end', error: null }]);
    expect(onGone).toHaveBeenCalledOnce();
  });

  it('keeps a page that is slow but processes one answer after the other', () => {
    const { clock, page, onGone } = setUp();
    for (let n = 0; n < 5; n++) page.post(aPiece, 1);
    for (let n = 0; n < 5; n++) {
      clock.ms += 50_000;
      page.receive({ type: 'ack' });
      page.check();
    }
    expect([page.isClear, onGone.mock.calls.length]).toEqual([true, 0]);
  });

  it('tells a page that cannot keep up, instead of piling up what it is given', () => {
    const { posted, page, onGone } = setUp();
    const size = 1024 * 1024;
    for (let n = 0; n < 100; n++) page.post(aPiece, size);
    expect(posted).toHaveLength(18);
    expect(posted.at(-1)).toMatchObject({ type: 'end', error: { code: 'page_too_slow' } });
    expect(onGone).toHaveBeenCalledOnce();
  });

  it('lets a page go that says so', () => {
    const { posted, page, onGone } = setUp();
    page.receive({ type: 'leave' });
    page.post(aPiece, 1);
    expect(posted).toEqual([]);
    expect(onGone).toHaveBeenCalledOnce();
  });
});
