import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { reuseTransmitBench, type TransmitBench } from './support/transmit-bench.ts';

const setUp = reuseTransmitBench();

interface RouteView {
  readonly route_id: string;
  readonly matched: number;
  readonly [field: string]: unknown;
}

const routes = async (bench: TransmitBench): Promise<RouteView[]> =>
  (await bench.status('routes')).routes;

/** Sends frames on the segment of the source; all must be accepted. */
const put = async (bench: TransmitBench, frames: readonly object[]): Promise<void> => {
  for (const frame of frames) {
    const answer = await bench.send({ channel: 'SIM00001/1', ...frame });
    expect(answer.status, answer.text).toBe(200);
  }
};

const source = { channel: 'SIM00001/0', id: 0x120 };
const target = { channel: 'SIM00001/2' };

describe('a route', () => {
  it('passes on what has its identifier to another segment, unchanged and once', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const slotOf = async (channel: string) => (await bench.show(channel)).slot;
    const [from, to] = [await slotOf(source.channel), await slotOf(target.channel)];
    const made = await bench.create('routes', { source, target });
    expect(made).toMatchObject({
      route_id: expect.stringMatching(/^route-\d+$/),
      source: { ...source, mask: 0x7ff, extended: false, selector_kind: 'serial', slot: from },
      target: { ...target, id: null, selector_kind: 'serial', slot: to },
      offloaded: true,
      matched: 0,
      sent: 0,
      failed: 0,
      last_error: null,
    });
    await put(bench, [
      { id: 0x120, data: '01' },
      { id: 0x121, data: '02' },
      { id: 0x120, extended: true, data: '03' },
      { id: 0x120, fd: true, brs: true, data: '04'.repeat(32) },
      { type: 'remote', id: 0x120, dlc: 5 },
      { id: 0x120, data: '05'.repeat(8), dlc: 12 },
    ]);
    const events = await bench.received('SIM00001/3', 4);
    const seen = events.map(({ id, bus, brs, remote, dlc, data }) => [
      id,
      bus,
      brs,
      remote,
      dlc,
      data,
    ]);
    expect(seen).toEqual([
      [0x120, 'can', false, false, 1, '01'],
      [0x120, 'canfd', true, false, 13, '04'.repeat(32)],
      [0x120, 'can', false, true, 5, ''],
      [0x120, 'can', false, false, 12, '05'.repeat(8)],
    ]);
    // Frames sent by the source itself are not received there, and are not forwarded.
    await bench.send({ channel: 'SIM00001/0', id: 0x120, data: 'FF' });
    expect(await routes(bench)).toMatchObject([{ matched: 4, sent: 4, failed: 0 }]);
    expect(await bench.receivedSoFar('SIM00001/3')).toHaveLength(4);
    expect(await bench.end(`routes/${made.route_id}`)).toMatchObject({ matched: 4, sent: 4 });
    const before = await bench.newest();
    await put(bench, [{ id: 0x120, data: '06' }]);
    await bench.received('SIM00001/0', 1, before);
    expect(await bench.receivedSoFar('SIM00001/3', before)).toEqual([]);
  });

  it('looks at the bits of its mask alone', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const masked = { source: { ...source, mask: 0x7f0 }, target };
    const { route_id } = await bench.create('routes', masked);
    await put(
      bench,
      [0x11f, 0x120, 0x12f, 0x130, 0x520].map((id) => ({ id })),
    );
    const ids = (await bench.received('SIM00001/3', 2)).map(({ id }) => id);
    expect(ids).toEqual([0x120, 0x12f]);
    await bench.end(`routes/${route_id}`);
    const before = await bench.newest();
    await bench.create('routes', { source: { ...source, id: 0x7ff, mask: 0 }, target });
    await put(
      bench,
      [0, 0x123, 0x7ff].map((id) => ({ id })),
    );
    expect((await bench.received('SIM00001/3', 3, before)).map(({ id }) => id)).toEqual([
      0, 0x123, 0x7ff,
    ]);
  });

  it('sends with another identifier where it is told to', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const request = { source: { ...source, mask: 0x700 }, target: { ...target, id: 0x555 } };
    await bench.create('routes', request);
    await put(bench, [{ id: 0x100, data: '01' }, { id: 0x1ff, data: '02' }, { id: 0x200 }]);
    const seen = (await bench.received('SIM00001/3', 2)).map(({ id, data }) => [id, data]);
    expect(seen).toEqual([
      [0x555, '01'],
      [0x555, '02'],
    ]);
  });

  it('passes on identifiers of 29 bits where it is told to, and none of 11', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const extended = { channel: 'SIM00001/0', id: 0x18ff0000, mask: 0x1fff0000, extended: true };
    await bench.create('routes', { source: extended, target: { ...target, id: 0x1abcdef0 } });
    await put(bench, [
      { id: 0x18ff50e5, extended: true, data: '01' },
      { id: 0x18fe50e5, extended: true, data: '02' },
      { id: 0x100, data: '03' },
    ]);
    expect(await bench.received('SIM00001/3', 1)).toMatchObject([
      { id: 0x1abcdef0, extended: true, data: '01' },
    ]);
  });

  it('works beside its counterpart in the other direction without an echo', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const all = { id: 0, mask: 0 };
    await bench.create('routes', {
      source: { channel: 'SIM00001/0', ...all },
      target: { channel: 'SIM00001/2' },
    });
    await bench.create('routes', {
      source: { channel: 'SIM00001/2', ...all },
      target: { channel: 'SIM00001/0' },
    });
    await put(bench, [{ id: 1, data: '01' }]);
    expect(await bench.received('SIM00001/3', 1)).toMatchObject([{ id: 1 }]);
    await bench.send({ channel: 'SIM00001/3', id: 2 });
    expect(await bench.received('SIM00001/1', 1)).toMatchObject([{ id: 2 }]);
    expect((await routes(bench)).map(({ matched }) => matched)).toEqual([1, 1]);
  });

  it('is made, listed and removed on the command line as over HTTP', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const options = ['--source-channel=SIM00001/0', '--source-id=0x100', '--source-mask=0x700'];
    const made = await bench.json<{ route_id: string }>(
      'route',
      'add',
      ...options,
      '--target-channel=SIM00001/2',
      '--target-id=0x200',
    );
    expect(made).toMatchObject({
      source: {
        channel: 'SIM00001/0',
        id: 0x100,
        mask: 0x700,
        extended: false,
        selector: 'SIM00001/0',
      },
      target: { channel: 'SIM00001/2', id: 0x200, selector: 'SIM00001/2' },
    });
    await put(bench, [{ id: 0x1ab, data: '77' }]);
    expect(await bench.received('SIM00001/3', 1)).toMatchObject([{ id: 0x200, data: '77' }]);
    expect(await bench.json('route', 'list')).toEqual({ routes: await routes(bench) });
    expect(await bench.json('route', 'remove', made.route_id)).toEqual({
      ...made,
      matched: 1,
      sent: 1,
    });
    expect(await routes(bench)).toEqual([]);
  });

  it('ends when either of its channels is closed', async () => {
    const bench = await setUp(0, 1, 2, 3);
    await bench.create('routes', { source, target });
    await bench.create('routes', { source: { ...source, channel: 'SIM00001/1' }, target });
    const last = await bench.create('routes', { source, target: { channel: 'SIM00001/3' } });
    await bench.remove('SIM00001/2');
    expect((await routes(bench)).map(({ route_id }) => route_id)).toEqual([last.route_id]);
    await bench.remove('SIM00001/0');
    expect(await routes(bench)).toEqual([]);
  });

  it('is left to the daemon once the device has no room, and works alike', async () => {
    const bench = await setUp(0, 1, 2, 3);
    for (let id = 0; id < 20; id++) {
      const made = await bench.create('routes', { source: { channel: 'SIM00001/0', id }, target });
      expect(made.offloaded).toBe(id < 16);
    }
    await put(bench, [{ id: 3 }, { id: 17 }, { id: 18 }, { id: 21 }]);
    expect((await bench.received('SIM00001/3', 3)).map(({ id }) => id)).toEqual([3, 17, 18]);
    await eventually(async () => (await routes(bench))[18]?.sent === 1);
    expect((await routes(bench)).filter(({ matched }) => matched === 1)).toHaveLength(3);
  });

  it('counts what the target refuses, and tells why', async () => {
    const bench = await setUp(0, 1, 2, 3);
    await bench.create('routes', { source, target });
    await bench.change('SIM00001/2', { mode: 'listen_only' });
    await put(bench, [{ id: 0x120 }, { id: 0x120 }]);
    await eventually(async () => (await routes(bench))[0]?.failed === 2);
    expect(await routes(bench)).toMatchObject([
      { matched: 2, sent: 0, failed: 2, last_error: { code: 'channel_cannot_send' } },
    ]);
    await bench.change('SIM00001/2', { mode: 'normal' });
    await put(bench, [{ id: 0x120 }]);
    await bench.received('SIM00001/3', 1);
    expect(await routes(bench)).toMatchObject([{ matched: 3, sent: 1, failed: 2 }]);
  });
});
