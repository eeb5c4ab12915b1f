import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { endDaemon } from './daemon-stop.ts';

const setUp = (held: object | null) => {
  const clock = new FakeClock();
  const did: string[] = [];
  const state = { held };
  const end = () =>
    endDaemon({
      clock,
      log: { event: (name, fields) => did.push(`${name} ${JSON.stringify(fields)}`) },
      reason: () => state.held,
      requestStop: async () => {
        did.push('stop');
      },
      kill: () => did.push('kill'),
    });
  return { clock, did, state, end };
};

describe('the end of a daemon', () => {
  it('is in order where nothing holds its bench thread up', async () => {
    const { clock, did, end } = setUp(null);
    await end();
    clock.advanceUs(1_000_000);
    expect(did).toEqual(['stop']);
  });

  it('is by force inside a plugin, but behind the answer to its caller', async () => {
    const { clock, did, end } = setUp({ plugin: 'filter' });
    await end();
    expect(did).toEqual([]);
    clock.advanceUs(200_000);
    expect(did).toEqual(['ended_by_force {"plugin":"filter"}', 'kill']);
  });

  it('is in order after all where the plugin returns meanwhile', async () => {
    const { clock, did, state, end } = setUp({ plugin: 'filter' });
    await end();
    state.held = null;
    clock.advanceUs(200_000);
    expect(did).toEqual(['stop']);
  });
});
