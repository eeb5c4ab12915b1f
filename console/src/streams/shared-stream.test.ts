import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventParser } from '../../../clients/typescript/src/event-parser.ts';
import type { ApiError } from '../api/api-error.ts';
import { settled } from '../api/testing/settled.ts';
import { type Followed, samplesPath } from './followed.ts';
import { SharedStream, type StreamReader } from './shared-stream.ts';
import { aGap, anEvent, FakeSseService } from './testing/fake-sse-service.ts';

let service: FakeSseService;
const onEmpty = vi.fn();

beforeEach(() => {
  service = new FakeSseService();
  onEmpty.mockClear();
});
afterEach(() => service.remove());

const aStream = (): SharedStream => new SharedStream({ path: samplesPath, token: null, onEmpty });

const aSample = (id: number, plan = 'a'): string =>
  anEvent(id, 'sample', { plan_id: plan, sequence: id, signal: 'Speed' });

const following = (...plans: string[]): Followed =>
  new Map(plans.map((plan) => [plan, new Set(['Speed'])]));

/** A reader that notes what it gets: events as their type and id. */
const aReader = (after: number | null = null, plans: readonly string[] = ['a'], epoch = '') => {
  const reported = {
    events: [] as string[],
    firsts: [] as string[],
    position: null as number | null,
    isOpen: false,
    end: undefined as ApiError | null | undefined,
  };
  const reader: StreamReader = {
    followed: following(...plans),
    after,
    epoch,
    onOpen: () => {
      reported.isOpen = true;
    },
    onPiece: ({ text, position, isFirst }) => {
      const events: string[] = [];
      events.push(...new EventParser().feed(text).map(({ name, lastId }) => `${name} ${lastId}`));
      reported.events.push(...events);
      if (isFirst) reported.firsts.push(events[0] ?? '');
      reported.position = position;
    },
    onEnd: (error) => {
      reported.end = error;
    },
  };
  return { reader, told: reported };
};

/** A line with a reader that has had the samples 5 and 6. */
const aLiveStream = async () => {
  const stream = aStream();
  const first = aReader();
  stream.join(first.reader);
  const connection = await service.connection(1);
  connection.send(aSample(5), aSample(6));
  await settled(() => first.told.position === 6);
  return { stream, first, connection };
};

describe('SharedStream', () => {
  it('gives any number of readers everything over one connection', async () => {
    const stream = aStream();
    const readers = Array.from({ length: 10 }, () => aReader());
    for (const { reader } of readers) stream.join(reader);
    (await service.connection(1)).send(aSample(5), aSample(6));
    await settled(() => readers.every(({ told: reported }) => reported.position === 6));
    for (const { told: reported } of readers)
      expect(reported.events).toEqual(['sample 5', 'sample 6']);
    expect(service.opened).toHaveLength(1);
    expect(service.opened[0]?.lastEventId).toBeUndefined();
  });

  it('follows what any reader follows, and gives each its own', async () => {
    const { stream, first, connection } = await aLiveStream();
    const other = aReader(null, ['b']);
    stream.join(other.reader);
    const { path, lastEventId, send } = await service.connection(2);
    expect([path, lastEventId]).toEqual(['/api/v1/signals/stream?plan=a&plan=b&signal=Speed', '6']);
    expect(connection.aborted.aborted).toBe(true);
    send(aSample(7, 'a'), aSample(8, 'b'));
    await settled(() => other.told.position === 8);
    expect([first.told.events.slice(2), other.told.events]).toEqual([['sample 7'], ['sample 8']]);
    expect([first.told.position, first.told.end]).toEqual([8, undefined]);
  });

  it('loses nothing when it is opened anew before anything came', async () => {
    const stream = aStream();
    const [first, other] = [aReader(), aReader(null, ['b'])];
    stream.join(first.reader);
    await service.connection(1);
    await settled(() => first.told.isOpen);
    stream.join(other.reader);
    const { lastEventId, send } = await service.connection(2);
    expect(lastEventId).toBe('0');
    send(aSample(5));
    await settled(() => first.told.position === 5);
    expect(first.told.events).toEqual(['sample 5']);
  });

  it('leaves the others alone when one leaves, and then asks for what they follow only', async () => {
    const stream = aStream();
    const [first, other] = [aReader(null, ['a']), aReader(null, ['b'])];
    stream.join(first.reader);
    stream.join(other.reader);
    (await service.connection(1)).send(aSample(5, 'b'));
    await settled(() => first.told.position === 5);
    stream.leave(other.reader);
    const { path, lastEventId, send } = await service.connection(2);
    expect([path, lastEventId]).toEqual(['/api/v1/signals/stream?plan=a&signal=Speed', '5']);
    send(aSample(6));
    await settled(() => first.told.position === 6);
    expect([first.told.events, first.told.end]).toEqual([['sample 6'], undefined]);
  });

  it('serves a cursor that is little behind without another connection', async () => {
    const { stream, connection } = await aLiveStream();
    const late = aReader(5);
    stream.join(late.reader);
    await settled(() => late.told.position === 6);
    connection.send(aSample(7));
    await settled(() => late.told.position === 7);
    expect(late.told.events).toEqual(['sample 6', 'sample 7']);
    expect(service.opened).toHaveLength(1);
  });

  it('goes back for a cursor that is far behind, and gives the others nothing twice', async () => {
    const { stream, first } = await aLiveStream();
    const late = aReader(2);
    stream.join(late.reader);
    const { lastEventId, send } = await service.connection(2);
    expect(lastEventId).toBe('2');
    send(aSample(3), aSample(5), aSample(6), aSample(7));
    await settled(() => late.told.position === 7);
    expect(late.told.events).toEqual(['sample 3', 'sample 5', 'sample 6', 'sample 7']);
    expect(first.told.events).toEqual(['sample 5', 'sample 6', 'sample 7']);
  });

  it('tells a gap to those who miss something, and whether it came first', async () => {
    const { stream, first } = await aLiveStream();
    const late = aReader(2);
    stream.join(late.reader);
    const { send } = await service.connection(2);
    send(aGap(5, 6), aSample(5), aSample(6));
    send(aSample(7), aGap(9, 9), aSample(9));
    await settled(() => late.told.position === 9 && first.told.position === 9);
    expect(late.told.events.slice(0, 3)).toEqual(['gap 4', 'sample 5', 'sample 6']);
    expect(late.told.firsts).toEqual(['gap 4']);
    for (const { told: reported } of [first, late]) {
      expect(reported.events.slice(-3)).toEqual(['sample 7', 'gap 8', 'sample 9']);
    }
  });

  it('tells no gap of another cursor to a reader that begins live', async () => {
    const stream = aStream();
    const [late, fresh] = [aReader(2), aReader()];
    stream.join(late.reader);
    stream.join(fresh.reader);
    const { lastEventId, send } = await service.connection(1);
    expect(lastEventId).toBe('2');
    send(aGap(5, 6), aSample(5));
    await settled(() => late.told.position === 5);
    expect([late.told.events, fresh.told.events]).toEqual([['gap 4', 'sample 5'], ['sample 5']]);
  });

  it('takes what comes where ids have begun anew', async () => {
    const stream = aStream();
    const { reader, told: reported } = aReader(5000);
    stream.join(reader);
    (await service.connection(1)).send(aGap(4, 4), aSample(4));
    await settled(() => reported.position === 4);
    expect(reported.events).toEqual(['gap 3', 'sample 4']);
  });

  it('ends all tabs when cursors of two daemons meet, so that they ask which one runs', async () => {
    const stream = aStream();
    const [first, other] = [aReader(7, ['a'], 'daemon-1'), aReader(3, ['a'], 'daemon-2')];
    stream.join(first.reader);
    stream.join(other.reader);
    expect([first.told.end, other.told.end]).toEqual([null, null]);
    expect(onEmpty).toHaveBeenCalledOnce();
  });

  it('ends the readers of a plan that is gone, and goes on for the others', async () => {
    const { stream, first } = await aLiveStream();
    const error = { code: 'plan_not_found', message: '', details: { plan: 'b' }, retryable: false };
    service.refuse = (path) =>
      path.includes('plan=b') ? Response.json({ error }, { status: 404 }) : null;
    const other = aReader(null, ['b']);
    stream.join(other.reader);
    await settled(() => other.told.end !== undefined);
    expect(other.told.end).toMatchObject({ code: 'plan_not_found' });
    const { path, lastEventId, send } = await service.connection(2);
    expect([path, lastEventId]).toEqual(['/api/v1/signals/stream?plan=a&signal=Speed', '6']);
    send(aSample(7));
    await settled(() => first.told.position === 7);
    expect(first.told.end).toBeUndefined();
  });

  it('tells all tabs why the service refuses or leaves', async () => {
    const error = { code: 'too_many_clients', message: '', details: {}, retryable: true };
    service.refuse = () => Response.json({ error }, { status: 503 });
    const refused = [aReader(), aReader()];
    const stream = aStream();
    for (const { reader } of refused) stream.join(reader);
    await settled(() => refused.every(({ told: reported }) => reported.end !== undefined));
    for (const { told: reported } of refused) {
      expect([reported.end?.code, reported.isOpen]).toEqual(['too_many_clients', false]);
    }
    service.refuse = () => null;
    const { first, connection } = await aLiveStream();
    connection.end();
    await settled(() => first.told.end !== undefined);
    expect(first.told.end).toBeNull();
  });

  it('lets go of the connection with the last reader', async () => {
    const { stream, first, connection } = await aLiveStream();
    stream.leave(first.reader);
    expect([connection.aborted.aborted, onEmpty.mock.calls.length]).toEqual([true, 1]);
  });
});
