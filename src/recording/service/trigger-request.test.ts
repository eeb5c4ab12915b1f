import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type FindGatewayMessage, triggerRequest } from './trigger-request.ts';

const channels: Readonly<Record<string, { slot: number; number: number }>> = {
  'SIM00001/0': { slot: 4, number: 1 },
  door: { slot: 5, number: 2 },
  chassis: { slot: 6, number: 3 },
};
const bench = {
  follow: async (selectors: readonly string[]) =>
    selectors.map((selector) => {
      const found = channels[selector];
      if (!found) throw new BusbarError('channel_not_open', { details: { channel: selector } });
      return found;
    }),
};

const codec = { profile: 'none' } as never;
const find: FindGatewayMessage = (instance, message) => {
  if (instance !== 'rig') throw new BusbarError('instance_not_found', { message: 'no such rig' });
  if (message !== 'Wheels') return 'it has no check';
  return { network: 'chassis', id: 0x123, extended: false, start: 0, length: 8, codec };
};

describe('The trigger of a recorder', () => {
  it('contains the channels that its conditions name', async () => {
    const start = 'error on door or bus_off on SIM00001/0 or error on door';
    expect(await triggerRequest({ start, pre_ms: 5 }, bench, find)).toEqual({
      start,
      stop: null,
      pre_ms: 5,
      post_ms: 0,
      once: false,
      channels: { door: 2, 'SIM00001/0': 1 },
      slots: [5, 4],
      guarded: {},
    });
  });

  it('contains the protected messages of gateways, or why there is none', async () => {
    const start = 'e2e_error rig/Wheels or e2e_error rig/Doors or e2e_error other/Wheels';
    const { guarded, slots } = await triggerRequest({ start }, bench, find);
    expect(guarded).toEqual({
      'rig/Wheels': { id: 0x123, extended: false, start: 0, length: 8, codec, channels: [3] },
      'rig/Doors': 'it has no check',
      'other/Wheels': 'no such rig',
    });
    expect(slots).toEqual([6]);
  });

  it('is refused with the field that names a channel that is not open', async () => {
    await expect(
      triggerRequest({ start: 'error', stop: 'error on roof' }, bench, find),
    ).rejects.toMatchObject({ code: 'channel_not_open', details: { field: 'trigger.stop' } });
  });
});
