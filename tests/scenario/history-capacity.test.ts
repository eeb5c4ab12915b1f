import { describe, expect, it } from 'vitest';
import { idsOf, range, StreamBench } from './support/stream-bench.ts';

const restart = async (bench: StreamBench, capacity: number): Promise<void> => {
  await bench.workbench.json('web', 'stop');
  ({ port: bench.port } = await bench.workbench.startWeb(`--history-capacity=${capacity}`));
};

describe('another capacity at the next start of the Web service', () => {
  it('shows more or less of what the rings hold all the time', async () => {
    const bench = await StreamBench.start({ web: ['--history-capacity=10'] });
    await bench.send(0, 1000);
    expect(idsOf((await bench.history('')).events)).toEqual(range(1981, 2000));
    await restart(bench, 4000);
    expect(idsOf((await bench.pages('limit=4096')).events)).toEqual(range(1, 2000));
    await restart(bench, 1);
    expect(idsOf((await bench.history('')).events)).toEqual([1999, 2000]);
  });

  it('grows the rings where it is larger than they are, and keeps their content', async () => {
    const bench = await StreamBench.start();
    await bench.send(0, 6000, { id: 1, data: '' });
    expect(await bench.broker(0)).toMatchObject({ ring_slots: 32_768, capacity: 8192 });
    await restart(bench, 40_000);
    expect(await bench.broker(0)).toMatchObject({ ring_slots: 65_536, capacity: 40_000 });
    expect(idsOf((await bench.pages('limit=4096')).events)).toEqual(range(1, 12_000));

    // Beyond the default size of the rings, nothing is lost now.
    await bench.send(1, 34_000, { id: 1, data: '' });
    expect(await bench.broker(0)).toMatchObject({
      retained: 40_000,
      oldest_event_id: 1,
      overwritten: 0,
    });
    expect(await bench.history('channel=0&limit=1')).toMatchObject({
      events: [{ source_sequence: 1 }],
      newest_available: 80_000,
    });
    // A channel opened later has the same capacity.
    await bench.open(2);
    expect(await bench.broker(2)).toMatchObject({ ring_slots: 65_536, retained: 0 });
  });
});
