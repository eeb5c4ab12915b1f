import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Lane } from '../bench/outbox/lane.ts';
import type { DriverChannel } from '../drivers/driver-channel.ts';
import { checkFrameList, listSubmission } from './frame-list.ts';
import { SendRig } from './testing/send-rig.ts';

const refusal = (work: () => unknown): Record<string, unknown> => {
  try {
    work();
  } catch (thrown) {
    const { code, details } = BusbarError.from(thrown);
    return { code, ...details };
  }
  return { code: 'none' };
};

describe('checkFrameList', () => {
  const check = (frames: string, limit = 10) =>
    checkFrameList(frames, { bus: 'canfd' }, undefined, limit);

  it('counts frames that can all exist', () => {
    expect(check('123#01\n18FF50E5##1AA\n123#R')).toBe(3);
  });

  it('refuses the first frame that cannot, and says which it is', () => {
    expect(refusal(() => check('123#01\n123#0\nnonsense'))).toMatchObject({
      code: 'invalid_argument',
      field: 'frames',
      reason: 'half_byte',
      index: 1,
    });
    expect(refusal(() => checkFrameList('123##1AA', { bus: 'can' }, undefined, 10))).toMatchObject({
      field: 'frames',
      index: 0,
    });
  });

  it('reads a list as its bus does', () => {
    const lin = { version: '1.3', checksum: 'classic' } as const;
    expect(checkFrameList('1A#01\n3#02', { bus: 'lin', lin }, undefined, 10)).toBe(2);
    expect(
      refusal(() => checkFrameList('1A#01', { bus: 'lin', lin }, 'enhanced', 10)),
    ).toMatchObject({ reason: 'lin_version', index: 0 });
  });

  it('refuses more frames than it may have', () => {
    expect(refusal(() => check('1#\n2#\n3#', 2))).toMatchObject({
      code: 'invalid_argument',
      field: 'frames',
      reason: 'too_many',
      limit: 2,
    });
  });
});

describe('a list that is sent', () => {
  it('is handed over frame by frame', async () => {
    const rig = new SendRig();
    await rig.open(1);
    const { hardware, outbox } = await rig.open(0);
    const { submit, read } = listSubmission(
      '100#01\n101#0203\n18FF50E5#',
      hardware,
      undefined,
      outbox.open({}),
    );
    expect(read).toBeUndefined();
    expect([submit(), submit(), submit()]).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('tries a frame again that the queue had no room for', () => {
    const results = ['accepted', 'full', 'full', 'accepted'] as const;
    const ids: number[] = [];
    let call = 0;
    const send = (id: number) => {
      ids.push(id);
      return results[call++];
    };
    const hardware = { bus: 'can', settings: {} } as unknown as DriverChannel;
    const picky = { send } as unknown as Lane;
    const { submit } = listSubmission('100#\n101#', hardware, undefined, picky);
    expect([submit(), submit(), submit(), submit()]).toEqual([...results]);
    expect(ids).toEqual([0x100, 0x101, 0x101, 0x101]);
  });

  it('names the frame that the channel, configured otherwise meanwhile, cannot send', async () => {
    const rig = new SendRig();
    await rig.open(1, { bus: 'can' });
    const { hardware, outbox } = await rig.open(0, { bus: 'can' });
    const { submit } = listSubmission('100#\n101##1AA', hardware, undefined, outbox.open({}));
    expect(submit()).toBe('accepted');
    expect(refusal(() => submit())).toMatchObject({ field: 'frames', index: 1 });
  });
});
