import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { withCheckedList } from './checked-list.ts';

const check = {
  targetOf: async () => ({ bus: 'can' }) as const,
  maxFrames: 3,
};

describe('withCheckedList', () => {
  it('leaves a request without a list as it is, and asks for no channel', async () => {
    const request = { channel: '0', frame: '123#' };
    const targetOf = () => Promise.reject(new RangeError('Was asked'));
    expect(await withCheckedList(request, { ...check, targetOf })).toBe(request);
  });

  it('counts the frames of a list that can all be sent', async () => {
    const request = { channel: '0', frames: '123#01\n124#' };
    expect(await withCheckedList(request, check)).toEqual({ ...request, count: 2 });
  });

  it('refuses a frame that the channel cannot send', async () => {
    const request = { channel: '0', frames: '123#01\n124##1AA' };
    await expect(withCheckedList(request, check)).rejects.toMatchObject({
      details: { field: 'frames', index: 1 },
    });
  });

  it('leaves it to the thread that sends to say why there is no such channel', async () => {
    const request = { channel: 'absent', frames: '123#01\nnonsense' };
    const targetOf = () => Promise.reject(new BusbarError('channel_not_found'));
    const passed = await withCheckedList(request, { ...check, targetOf });
    expect(passed).toEqual({ ...request, count: 2 });
  });
});
