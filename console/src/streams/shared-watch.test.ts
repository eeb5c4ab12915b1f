import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiError } from '../api/api-error.ts';
import { settled } from '../api/testing/settled.ts';
import { SharedWatch, type WatchReader } from './shared-watch.ts';
import { FakeSseService } from './testing/fake-sse-service.ts';

let service: FakeSseService;
const onEmpty = vi.fn();

beforeEach(() => {
  service = new FakeSseService();
  onEmpty.mockClear();
});
afterEach(() => service.remove());

const event = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

const signals = (...values: readonly [id: string, value: string][]): string =>
  event('signals', { instance: 'a/b', signals: values.map(([id, value]) => ({ id, value })) });

const textOf = (type: string, data: string): string => {
  const parsed = JSON.parse(data);
  if (type !== 'signals') return type;
  const rows = parsed.signals as readonly { id: string; value: string }[];
  return rows.map(({ id, value }) => `${id}=${value}`).join(' ');
};

const aReader = () => {
  const reported = {
    pieces: [] as string[],
    isOpen: false,
    end: undefined as ApiError | null | undefined,
  };
  const place = { isClear: true, isBehind: false };
  const reader: WatchReader = {
    get isClear() {
      return place.isClear;
    },
    get isBehind() {
      return place.isBehind;
    },
    onOpen: () => {
      reported.isOpen = true;
    },
    onPiece: (piece) => reported.pieces.push(textOf(piece.event, piece.data)),
    onEnd: (error) => {
      reported.end = error;
    },
  };
  return { reader, told: reported, place };
};

const opened = async () => {
  const watch = new SharedWatch({ token: 'secret', onEmpty });
  const first = aReader();
  const leave = watch.join('a/b', first.reader);
  const stream = await service.connection(1);
  stream.send(
    event('status', { instance: 'a/b', state: 'running' }),
    signals(['x', '1'], ['y', '2']),
  );
  await settled(() => first.told.pieces.length === 2);
  return { watch, first, stream, leave };
};

describe('SharedWatch', () => {
  it('follows an instance with all that its stream tells', async () => {
    const { first, stream } = await opened();
    expect(stream.path).toBe(
      '/api/v1/gateways/a%2Fb/stream?include=tasks&include=faults&include=observed&include=fault_events',
    );
    expect(stream.authorization).toBe('Bearer secret');
    expect(first.told).toEqual({ pieces: ['status', 'x=1 y=2'], isOpen: true, end: undefined });
  });

  it('gives a page that joins later all that came so far, over the same connection', async () => {
    const { watch, first, stream } = await opened();
    stream.send(signals(['x', '5']));
    await settled(() => first.told.pieces.length === 3);
    const second = aReader();
    watch.join('a/b', second.reader);
    expect(second.told).toMatchObject({ isOpen: true, pieces: ['status', 'x=5 y=2'] });
    stream.send(signals(['y', '6']));
    await settled(() => second.told.pieces.length === 3);
    expect([first.told.pieces.at(-1), second.told.pieces.at(-1)]).toEqual(['y=6', 'y=6']);
    expect(service.opened).toHaveLength(1);
  });

  it('gives a page that is behind nothing until it has caught up, and then the latest state', async () => {
    const { watch, first, stream } = await opened();
    const other = aReader();
    watch.join('a/b', other.reader);
    Object.assign(first.place, { isClear: false, isBehind: true });
    stream.send(signals(['x', '7']), signals(['x', '8']));
    await settled(() => other.told.pieces.at(-1) === 'x=8');
    expect(first.told.pieces).toHaveLength(2);
    Object.assign(first.place, { isClear: true, isBehind: false });
    await settled(() => first.told.pieces.at(-1) === 'x=8 y=2');
  });

  it('ends all readers with the connection, and leaves nothing behind', async () => {
    const { first, stream } = await opened();
    stream.end();
    await settled(() => first.told.end !== undefined);
    expect(first.told.end).toBeNull();
    expect(onEmpty).toHaveBeenCalledOnce();
  });

  it('closes the connection when the last reader leaves', async () => {
    const { stream, leave } = await opened();
    leave();
    expect(stream.aborted.aborted).toBe(true);
    expect(onEmpty).toHaveBeenCalledOnce();
  });

  const status = (instance: string): string => event('status', { instance });

  it('follows any number of instances over one connection, and tells each reader of its own', async () => {
    const { watch, first, stream } = await opened();
    const others = ['c', 'd', 'e'].map((name) => ({ name, ...aReader() }));
    for (const { name, reader } of others) watch.join(name, reader);
    const all = await service.connection(2);
    expect(stream.aborted.aborted).toBe(true);
    expect(all.path).toContain('/a%2Fb/stream?also=c&also=d&also=e&include=');
    all.send(status('d'), signals(['x', '9']));
    await settled(() => first.told.pieces.at(-1) === 'x=9');
    expect(others.map(({ told: reported }) => reported.pieces)).toEqual([[], ['status'], []]);
    expect(first.told.end).toBeUndefined();
  });

  it('goes on for the others where one is gone, or was never there', async () => {
    service.refuse = (path) =>
      path.includes('also=c')
        ? Response.json(
            { error: { code: 'instance_not_found', message: '', details: { instance: 'c' } } },
            { status: 404 },
          )
        : null;
    const { watch, first } = await opened();
    const [missing, other] = [aReader(), aReader()];
    watch.join('c', missing.reader);
    watch.join('d', other.reader);
    const stream = await service.connection(2);
    expect(missing.told.end?.code).toBe('instance_not_found');
    expect(stream.path).toContain('/a%2Fb/stream?also=d&');
    stream.send(event('end', { instance: 'a/b', reason: 'unloaded' }));
    await settled(() => first.told.end === null);
    expect((await service.connection(3)).path).toContain('/d/stream?');
    expect(other.told.end).toBeUndefined();
  });
});
