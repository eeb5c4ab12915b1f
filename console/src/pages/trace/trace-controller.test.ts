import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settled } from '../../api/testing/settled.ts';
import { FakeFrameService, type FakeWebSocket } from '../../streams/testing/fake-frame-service.ts';
import { SeenChannels } from '../../trace-core/channel-names.ts';
import type { SavedTrace } from '../../trace-core/export-trace.ts';
import { emptyFilter, parseFilter } from '../../trace-core/frame-filter.ts';
import { RowWindow, rowBytes } from '../../trace-core/frame-row.ts';
import type { WindowAnswer, WindowRequest } from '../../trace-core/row-windows.ts';
import { anEvent, aRecord } from '../../trace-core/testing/records.ts';
import { TraceController } from './trace-controller.ts';
import type { TraceAnswer, TraceStatus } from './trace-messages.ts';

let service: FakeFrameService;
let controller: TraceController;
let answers: TraceAnswer[];
let socket: FakeWebSocket;

const lastOf = <Type extends TraceAnswer['type']>(type: Type) =>
  answers.findLast((answer) => answer.type === type) as
    | Extract<TraceAnswer, { type: Type }>
    | undefined;

const status = (): TraceStatus | undefined => {
  controller.postStatus();
  return lastOf('status')?.status;
};

/** Frames with these event IDs. */
const send = (from: number, to: number): void => {
  for (let eventId = from; eventId <= to; eventId++) socket.send(aRecord({ eventId }));
};

const end: WindowRequest = { view: 'frames', rows: 4, place: { at: 'end' }, selected: null };
let questions = 0;

const ask = (isImmediate = false, buffer: ArrayBuffer | null = new ArrayBuffer(8 * rowBytes)) => {
  const number = ++questions;
  controller.take({ type: 'window', number, request: end, isImmediate, buffer });
  return number;
};

const windows = (): readonly WindowAnswer[] => answers.filter((answer) => answer.type === 'window');

const idsOf = (answer: WindowAnswer | undefined): number[] =>
  answer ? new RowWindow(answer.buffer, answer.facts.rows).all().map(({ eventId }) => eventId) : [];

beforeEach(async () => {
  questions = 0;
  service = new FakeFrameService();
  answers = [];
  controller = new TraceController((answer) => answers.push(answer));
  controller.take({ type: 'start', token: null });
  socket = await service.connection(1);
  socket.open();
});
afterEach(() => {
  controller.take({ type: 'stop' });
  service.remove();
});

describe('the controller of the trace', () => {
  it('accounts for every frame that came', () => {
    send(1, 1000);
    expect(status()).toMatchObject({
      state: 'live',
      cursor: 1000,
      received: 1000,
      kept: 1000,
      connections: 1,
      gaps: 0,
      missing: 0,
      malformed: 0,
    });
  });

  it('tells when the last frame was heard, as long as frames come', () => {
    socket.send(aRecord({ eventId: 1, timestampUs: 5_000_000 }));
    expect(status()?.newestUs).toBe(5_000_000);
    expect(status()?.newestUs).toBeNull();
    socket.send(aRecord({ eventId: 2, timestampUs: 6_000_000 }));
    expect(status()?.newestUs).toBe(6_000_000);
  });

  it('answers a question once there is something new, with the newest rows', () => {
    const number = ask();
    vi.advanceTimersByTime(1000);
    expect(windows()).toHaveLength(1);
    ask();
    vi.advanceTimersByTime(1000);
    expect(windows()).toHaveLength(1);
    send(1, 6);
    vi.advanceTimersByTime(0);
    expect(windows()).toHaveLength(2);
    expect(windows()[1]?.number).toBe(number + 1);
    expect(idsOf(windows()[1])).toEqual([3, 4, 5, 6]);
  });

  it.each([
    ['frames', 10],
    ['by-id', 10],
  ] as const)('renews the view %s about %d times a second', (view, times) => {
    const request: WindowRequest = { ...end, view };
    for (let ms = 1; ms <= 1000; ms++) {
      send(ms, ms);
      const buffer = windows().length === questions ? new ArrayBuffer(8 * rowBytes) : null;
      if (buffer)
        controller.take({
          type: 'window',
          number: ++questions,
          request,
          isImmediate: false,
          buffer,
        });
      vi.advanceTimersByTime(1);
    }
    expect(Math.abs(windows().length - times)).toBeLessThanOrEqual(1);
  });

  it('renews no picture unasked, and goes on to take frames', () => {
    ask();
    vi.advanceTimersByTime(0);
    for (let i = 0; i < 100; i++) {
      send(1 + 10 * i, 10 + 10 * i);
      vi.advanceTimersByTime(5);
    }
    expect(windows()).toHaveLength(1);
    expect(status()?.received).toBe(1000);
    ask();
    vi.advanceTimersByTime(0);
    expect(idsOf(windows()[1])).toEqual([997, 998, 999, 1000]);
  });

  it('answers at once where other rows are wanted, in the buffer of the question that waited', () => {
    send(1, 6);
    ask(true);
    ask();
    const replaced = ask(true, null);
    expect(windows()).toHaveLength(2);
    expect(windows()[1]?.number).toBe(replaced);
    // No request is pending, so there is no buffer for an answer.
    ask(true, null);
    vi.advanceTimersByTime(1000);
    expect(windows()).toHaveLength(2);
  });

  it('shows rows that pass the filter, and none that come while the view is paused', () => {
    const parsed = parseFilter({ ...emptyFilter, id: '101' }, []);
    if ('filter' in parsed) controller.take({ type: 'filter', filter: parsed.filter });
    send(1, 3);
    socket.send(aRecord({ eventId: 4, id: 0x101 }));
    controller.take({ type: 'pause' });
    socket.send(aRecord({ eventId: 5, id: 0x101 }));
    ask(true);
    expect(idsOf(windows()[0])).toEqual([4]);
    ask();
    send(6, 100);
    vi.advanceTimersByTime(1000);
    expect(windows()).toHaveLength(1);
    controller.take({ type: 'resume' });
    vi.advanceTimersByTime(1000);
    expect(idsOf(windows()[1])).toEqual([4, 5]);
  });

  it('tells of gaps with their counts, and forgets all when it is cleared', () => {
    send(1, 2);
    socket.report({ event: 'gap', oldest_available: 10, newest_available: 12 });
    send(10, 12);
    expect(status()).toMatchObject({ gaps: 1, missing: 7, received: 5, kept: 6, cursor: 12 });
    controller.take({ type: 'clear' });
    expect(lastOf('status')?.status).toMatchObject({ gaps: 0, received: 0, kept: 0, cursor: 12 });
  });

  it('shows that it was cleared, although no frame comes behind that', () => {
    send(1, 6);
    ask(true);
    ask();
    controller.take({ type: 'clear' });
    vi.advanceTimersByTime(1000);
    expect(windows()).toHaveLength(2);
    expect(idsOf(windows()[1])).toEqual([]);
  });

  it('says that it is stopped, and goes on behind the last event', async () => {
    send(1, 5);
    controller.take({ type: 'stop' });
    expect(status()?.state).toBe('stopped');
    controller.take({ type: 'start', token: 'abc' });
    const next = await service.connection(2);
    expect([next.after, next.protocols[1]]).toEqual(['5', 'svc.token.abc']);
  });

  it('passes on why there is no stream', async () => {
    service.refusal = { status: 401, code: 'unauthorized', retryable: false };
    controller.take({ type: 'start', token: null });
    await settled(() => lastOf('status')?.status.state === 'token');
    expect(status()?.error).toMatchObject({
      code: 'unauthorized',
      message: 'No',
      retryable: false,
    });
  });

  it('reads the stream while it writes a file, which has what was there when it was asked for', async () => {
    const seen = new SeenChannels();
    seen.take([
      { slot: 0, selector: 'SIM00001/0', name: 'powertrain', number: 1, opened_at_us: 0 },
    ]);
    controller.take({ type: 'channels', seen: seen.all });
    send(1, 5000);
    controller.take({ type: 'export', format: 'candump', notes: [] });
    expect(lastOf('export')).toBeUndefined();
    send(5001, 6000);
    expect(status()?.received).toBe(6000);
    await vi.advanceTimersByTimeAsync(1000);
    await settled(() => lastOf('export') !== undefined);
    const { file, written } = (lastOf('export')?.saved ?? {}) as SavedTrace;
    expect(written).toBe(5000);
    expect((await file.text()).match(/powertrain 100#/g)).toHaveLength(5000);
  });

  it('puts older frames in front, and says when there are no more', async () => {
    send(1, 2);
    controller.take({ type: 'clear' });
    send(3, 4);
    service.newest = 4;
    service.events = [1, 2, 3].map((event_id) => anEvent({ event_id }));
    controller.take({ type: 'pause' });
    controller.take({ type: 'older', token: null, channels: null });
    await settled(() => lastOf('older') !== undefined);
    expect(lastOf('older')?.result).toEqual({ added: 2, end: 'history', error: null });
    ask(true);
    expect(idsOf(windows()[0])).toEqual([1, 2, 3, 4]);
  });

  it('finds the row of an event, with older frames if needed', async () => {
    send(1, 2);
    controller.take({ type: 'clear' });
    send(3, 4);
    service.newest = 4;
    service.events = [1, 2, 3].map((event_id) => anEvent({ event_id }));
    controller.take({ type: 'pause' });
    const find = async (eventId: number) => {
      answers = [];
      controller.take({ type: 'find', token: null, eventId });
      await settled(() => lastOf('found') !== undefined);
      return lastOf('found')?.found;
    };
    const rowOf = (eventId: number): number | undefined => {
      ask(true);
      const { buffer, facts } = windows()[0] as WindowAnswer;
      const rows = new RowWindow(buffer, facts.rows).all();
      return rows.find((row) => row.eventId === eventId)?.serial;
    };
    const loaded = await find(2);
    expect(loaded).toEqual({ eventId: 2, serial: rowOf(2), error: null });
    expect(loaded?.serial).not.toBeUndefined();
    expect(await find(4)).toEqual({ eventId: 4, serial: rowOf(4), error: null });
    expect(await find(5)).toEqual({ eventId: 5, serial: null, error: null });
    expect(await find(0)).toEqual({ eventId: 0, serial: null, error: null });
  });

  it('asks for the channels that are shown, and goes on with those that keep more until none does', async () => {
    const older = [{ channel: 1, selector: 'SIM00001/1', oldest_available: 2 }];
    const asked: string[] = [];
    service.answerHistory = (query) => {
      const channels = query.getAll('channel').join();
      asked.push(`${channels} ${query.get('after')}`);
      return channels === 'SIM00001/1'
        ? { events: [2, 5].map((event_id) => anEvent({ event_id, channel: 1 })) }
        : { events: [8, 9].map((event_id) => anEvent({ event_id })), oldest_available: 8, older };
    };
    service.newest = 10;
    send(9, 10);
    controller.take({ type: 'pause' });
    const load = async () => {
      answers = [];
      const channels = ['SIM00001/0', 'SIM00001/1'];
      controller.take({ type: 'older', token: null, channels });
      await settled(() => lastOf('older') !== undefined);
      return lastOf('older')?.result;
    };
    await expect(load()).resolves.toEqual({ added: 1, end: null, error: null });
    await expect(load()).resolves.toEqual({ added: 2, end: 'history', error: null });
    await expect(load()).resolves.toEqual({ added: 0, end: 'history', error: null });
    expect(asked).toEqual(['SIM00001/0,SIM00001/1 0', 'SIM00001/1 0']);
    const buffer = new ArrayBuffer(8 * rowBytes);
    const request = { ...end, rows: 7 };
    controller.take({ type: 'window', number: 1, request, isImmediate: true, buffer });
    // Two rows are gaps: that of the other channel, and the events that the stream missed before
    // its first frame.
    expect(idsOf(windows()[0])).toEqual([2, 5, 0, 8, 0, 9, 10]);
  });

  it('knows the frames of another daemon from those of this one', async () => {
    send(1, 40);
    service.daemon = { instance_id: 'second', started_at_us: 2_000_000_000_000_000 };
    socket.break(1001);
    await vi.advanceTimersByTimeAsync(250);
    socket = await service.connection(2);
    expect(socket.after).toBe('0');
    socket.open();
    send(1, 3);
    expect(status()).toMatchObject({ received: 43, duplicates: 0, gaps: 1, uncounted: 1 });
    controller.take({ type: 'pause' });
    controller.take({ type: 'older', token: null, channels: null });
    await settled(() => lastOf('older') !== undefined);
    expect(lastOf('older')?.result).toEqual({ added: 0, end: 'history', error: null });
  });

  it('reports statistics and changes, and finds counters in the frames that it keeps', async () => {
    for (let eventId = 1; eventId <= 80; eventId++) {
      const data = (eventId & 0xf).toString(16).padStart(2, '0');
      socket.send(aRecord({ eventId, timestampUs: eventId * 1000, data }));
    }
    controller.take({ type: 'statistics' });
    expect(lastOf('statistics')?.report.ids).toMatchObject([{ count: 80, changes: 79 }]);
    controller.take({ type: 'mark', serial: null });
    controller.take({ type: 'changes', selected: 0 });
    expect(lastOf('changes')?.report).toMatchObject({ markUs: 80_000, ids: [{ serial: 0 }] });
    controller.take({ type: 'unmark' });
    controller.take({ type: 'changes', selected: 0 });
    expect(lastOf('changes')?.report.counts?.[0]).toBe(79);
    controller.take({ type: 'fields' });
    await settled(() => {
      vi.advanceTimersByTime(1);
      return lastOf('fields') !== undefined;
    });
    expect([...(lastOf('fields')?.found ?? [])]).toMatchObject([
      [0, [{ kind: 'counter', bits: [0, 1, 2, 3], agreed: 79, of: 79 }]],
    ]);
  });

  it('says why older frames did not come', async () => {
    send(3, 4);
    service.refusal = { status: 503, code: 'busy', retryable: true };
    controller.take({ type: 'older', token: null, channels: null });
    await settled(() => lastOf('older') !== undefined);
    expect(lastOf('older')?.result).toMatchObject({ added: 0, error: { code: 'busy' } });
  });
});
