import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { refusedByCli } from './support/channel-bench.ts';
import { type Answered, borrowTransmitBench, timeOf } from './support/transmit-bench.ts';

const [first, second] = ['SIM00001/0', 'SIM00001/1'];

/** A daemon with two channels, whose recorders record the second one. */
const setUp = async () => {
  const bench = await borrowTransmitBench(0, 1);
  return {
    bench,
    send: async (...frames: string[]): Promise<void> => {
      for (const frame of frames) await bench.json('message', 'send', first, frame);
      await bench.drained(first);
    },
    arm: async (name: string, trigger: string): Promise<void> => {
      const settings = [`--file={name}-{n}.asc`, `--channel=${second}`, `--trigger=${trigger}`];
      await bench.json('recorder', 'add', name, ...settings);
      const started = await bench.json<Answered>('recorder', 'start', name);
      expect(started).toMatchObject({ state: 'armed', files: [] });
    },
    /** Waits until the recorder has ended a recording. */
    recorded: (name: string, state: string): Promise<Answered> =>
      bench.until(`recorders/${name}`, (now) => now.state === state && now.files.length > 0),
  };
};

describe('a trigger', () => {
  it('records from its start to its stop, with what was before', async () => {
    const { bench, send, arm, recorded } = await setUp();
    await send('040#', '041#');
    await arm('around', 'start=frame 100,stop=frame 200,pre_ms=3600000');
    await send('050#', '100#01', '010#', '200#');
    await recorded('around', 'armed');
    await send('011#', '200#');
    const stopped = await bench.json<Answered>('recorder', 'stop', 'around');
    const events = await bench.events(second);
    expect(events.map(({ id }) => id)).toEqual([0x40, 0x41, 0x50, 0x100, 0x10, 0x200, 0x11, 0x200]);
    expect(stopped).toMatchObject({ state: 'idle', frames: 6, gaps: 0, missed: 0, error: null });
    expect(stopped.files).toMatchObject([
      {
        ...{ file: 'around-1.asc', frames: 6 },
        ...{ first_event_id: events[0]?.event_id, last_event_id: events[5]?.event_id },
      },
    ]);
    expect(await bench.json('trace', 'info', 'around-1.asc')).toMatchObject({ events: 6 });
    expect(bench.read('around-1.asc')).toMatch(
      /Trigger: frame 100; recorded from \d+ ms of 3600000 ms before it\n/,
    );
  });

  it('records what follows the stop for a time, and once if it is to', async () => {
    const { bench, send, arm, recorded } = await setUp();
    await arm('once', 'start=frame 100,stop=frame 200,post_ms=100,once=true');
    await send('040#', '100#01', '010#');
    await bench.until('recorders/once', ({ frames }) => frames === 2);
    await send('200#');
    await eventually(async () => {
      await send('010#');
      return (await bench.status('recorders/once')).state === 'idle';
    });
    await send('100#02');
    const ended = await recorded('once', 'idle');
    const events = (await bench.events(second)).slice(1);
    const written = events.slice(0, ended.frames);
    expect(written.slice(0, 3).map(({ id }) => id)).toEqual([0x100, 0x10, 0x200]);
    expect(timeOf(written.at(-1))).toBeLessThanOrEqual(timeOf(written[2]) + 100_000);
    expect(ended).toMatchObject({ missed: 0, error: null });
    expect(ended.files).toMatchObject([
      {
        ...{ file: 'once-1.asc', frames: written.length },
        first_event_id: written[0]?.event_id,
        last_event_id: written.at(-1)?.event_id,
      },
    ]);
    expect(await bench.json('trace', 'info', 'once-1.asc')).toMatchObject({
      events: written.length,
    });
    expect(bench.read('once-1.asc')).toMatch(/Trigger: frame 100\n/);
    expect(bench.read('once-1.asc')).toMatch(/\nEnd TriggerBlock\n$/);
  });

  it('is refused with the place and what was expected there', async () => {
    const { bench } = await setUp();
    const add = ['recorder', 'add', 'wrong', '--file=wrong-{n}.asc'];
    const trigger = '--trigger=start=frame 100,stop=frame 200 and';
    expect(refusedByCli(await bench.failure(...add, trigger))).toMatchObject({
      ...{ exit: 2, code: 'invalid_argument' },
      details: {
        field: 'trigger.stop',
        offset: 13,
        expected: expect.stringMatching(/^not, .* one of frame, /),
      },
    });
    const { stderr } = await bench.run([...add, trigger]);
    expect(stderr).toContain('frame 200 and\n');
    expect(await bench.status('recorders')).toEqual({ recorders: [] });
  });
});
