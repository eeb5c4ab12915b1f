import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { Deferred } from '../base/deferred.ts';
import { eventually } from '../base/testing/eventually.ts';
import type { SettingChange } from '../drivers/channel-settings.ts';
import { sendHex } from '../drivers/virtual/testing/virtual-rig.ts';
import type { ChangeRequest } from './change-groups.ts';
import type { Channel } from './channel.ts';
import { canOf, refusalOf, TableRig } from './testing/table-rig.ts';

let rig: TableRig;
beforeEach(() => {
  rig = new TableRig();
});

const configure = (text: string, request: ChangeRequest) =>
  rig.table.configure(text, request, rig.benchSource);
const close = (text: string) => rig.table.close(text, rig.benchSource);

const interruptionsOf = (channel: Channel): string[] => {
  const received: string[] = [];
  channel.onInterrupted((why) => received.push(why));
  return received;
};

/** Holds every change of a channel until it is released, and records its arguments. */
const holdChanges = ({ hardware }: Channel) => {
  const asked: SettingChange[] = [];
  const gates: Deferred<void>[] = [];
  const { configure: change } = hardware;
  hardware.configure = async (asking) => {
    asked.push(asking);
    const gate = new Deferred<void>();
    gates.push(gate);
    await gate.promise;
    await change.call(hardware, asking);
  };
  const letThrough = async (): Promise<void> => {
    await eventually(() => gates.length > 0);
    gates.shift()?.resolve();
  };
  return { asked, letThrough };
};

describe('changing a channel', () => {
  it.each<[number, ChangeRequest, object]>([
    [0, { mode: 'loopback' }, { mode: 'loopback' }],
    [0, { termination: false }, { termination: false }],
    [0, { bitrate: 250_000 }, { bitrate: 250_000, data_bitrate: 2_000_000 }],
    [0, { data_bitrate: 4_000_000 }, { bitrate: 500_000, data_bitrate: 4_000_000 }],
    [4, { pull_up: false }, { pull_up: false }],
    [4, { power: false }, { power: false }],
    [
      4,
      { lin: { version: '1.3' } },
      { lin: { role: 'master', version: '1.3', checksum: 'classic' } },
    ],
  ])('answers the new record: port %i, %j', async (port, request, record) => {
    const received = interruptionsOf(await rig.open(port));
    expect(await configure('0', request)).toMatchObject(record);
    expect(received).toEqual(['configured']);
  });

  it('tells nobody of a change to what was set already', async () => {
    const channel = await rig.open(0);
    const received = interruptionsOf(channel);
    const before = channel.record();
    expect(await configure('SIM00001/0', { bitrate: 500_000 })).toEqual(before);
    expect(await configure('engine', { mode: 'normal' })).toEqual(before);
    expect(received).toEqual([]);
  });

  it('leaves everything as it was when the hardware refuses', async () => {
    const channel = await rig.open(0);
    const received = interruptionsOf(channel);
    const before = channel.record();
    for (const request of [{ lin: { version: '2.0' } }, { bitrate: 5 }, { power: true }] as const) {
      expect((await refusalOf(configure('0', request))).code).toBe('unsupported_by_hardware');
    }
    expect(channel.record()).toEqual(before);
    expect(received).toEqual([]);
    expect(await configure('0', { mode: 'loopback' })).toMatchObject({ mode: 'loopback' });
  });

  it('refuses a request without exactly one group before it looks for the channel', async () => {
    expect(await refusalOf(configure('nobody/0', {}))).toMatchObject({
      code: 'invalid_argument',
      details: { field: '', groups: [] },
    });
    expect(await refusalOf(configure('0', { mode: 'normal', power: true }))).toMatchObject({
      details: { field: 'mode', groups: ['mode', 'power'] },
    });
  });

  it('needs an open channel', async () => {
    expect(await refusalOf(configure('powertrain', { mode: 'normal' }))).toMatchObject({
      code: 'channel_not_found',
      details: { channel: 'powertrain', selector_kind: 'network', resolved: 'SIM00001/0' },
    });
  });

  it('is done one after the other, each from where the one before has left off', async () => {
    const channel = await rig.open(0);
    const { asked, letThrough } = holdChanges(channel);
    const first = configure('0', { bitrate: 250_000 });
    const second = configure('0', { data_bitrate: 1_000_000 });
    await eventually(() => asked.length > 0);
    await nextTurn();
    expect(asked).toHaveLength(1);
    await letThrough();
    await first;
    await letThrough();
    expect(await second).toMatchObject({ bitrate: 250_000, data_bitrate: 1_000_000 });
    expect(asked).toEqual([
      { group: 'bitrate', bitrate: 250_000 },
      { group: 'bitrate', bitrate: 250_000, dataBitrate: 1_000_000 },
    ]);
  });

  it('goes on with the next after one that failed', async () => {
    await rig.open(0);
    const answers = await Promise.allSettled([
      configure('0', { bitrate: 1 }),
      configure('0', { bitrate: 125_000 }),
    ]);
    expect(answers).toMatchObject([
      { status: 'rejected' },
      { status: 'fulfilled', value: { bitrate: 125_000 } },
    ]);
  });
});

describe('closing a channel', () => {
  it('answers its last record, and then it is gone', async () => {
    const channel = await rig.open(0, { name: 'mine', bitrate: 250_000 });
    const received = interruptionsOf(channel);
    const before = channel.record();
    expect(await close('mine')).toEqual({ ...before, state: 'closing' });
    expect(received).toEqual(['closed']);
    expect(channel.state).toBe('closing');
    expect(rig.table.channels).toEqual([]);
    expect(rig.table.entries).toEqual([]);
    expect(rig.audience.log).toEqual(['opening 0', 'closed 0']);
    expect(await rig.open(0, { name: 'mine' })).toMatchObject({ slot: 1, name: 'mine' });
  });

  it('gives back the ring only after all readers have let go of it', async () => {
    const released = new Deferred<void>();
    await rig.open(0);
    const buffer = rig.table.entries[0]?.ring.buffer;
    rig.audience.before = (what) => (what === 'closed 0' ? released.promise : Promise.resolve());
    const closing = close('0');
    const other = await rig.open(1);
    expect(rig.table.entries.map(({ slot }) => slot)).toEqual([other.slot]);
    expect(rig.table.entries[0]?.ring.buffer).not.toBe(buffer);
    released.resolve();
    await closing;
    await rig.open(0);
    expect(rig.table.entries.at(-1)?.ring.buffer).toBe(buffer);
  });

  it('lets nobody use, follow, change or close the channel any more, but look at it', async () => {
    const released = new Deferred<void>();
    await rig.open(0);
    rig.audience.before = () => released.promise;
    const closing = close('SIM00001/0');
    await eventually(() => rig.channelIn(0).state === 'closing');
    const { table, benchSource } = rig;
    const details = { channel: 'SIM00001/0', selector_kind: 'serial' };
    const refusals = await Promise.all([
      refusalOf(close('SIM00001/0')),
      refusalOf(configure('SIM00001/0', { mode: 'loopback' })),
      refusalOf(table.use('SIM00001/0', benchSource)),
      refusalOf(table.follow('SIM00001/0', benchSource)),
    ]);
    expect(refusals).toMatchObject([
      { code: 'channel_not_found', details },
      { code: 'channel_not_found', details },
      { code: 'channel_not_open', details },
      { code: 'channel_not_open', details },
    ]);
    const { channel } = await table.find('SIM00001/0', benchSource);
    expect(channel.record().state).toBe('closing');
    expect((await refusalOf(rig.open(0))).code).toBe('already_exists');
    released.resolve();
    await closing;
    expect((await rig.open(0)).slot).toBe(1);
  });

  it('happens once, however many ask for it at the same time', async () => {
    const received = interruptionsOf(await rig.open(0));
    const answers = await Promise.allSettled([close('0'), close('0'), close('SIM00001/0')]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(answers[1]).toMatchObject({ reason: { code: 'channel_not_found' } });
    expect(received).toEqual(['closed']);
    expect(rig.audience.log).toEqual(['opening 0', 'closed 0']);
  });

  it('waits for the change under way, and refuses those that wait behind it', async () => {
    const channel = await rig.open(0);
    const received = interruptionsOf(channel);
    const { asked, letThrough } = holdChanges(channel);
    const first = configure('0', { bitrate: 250_000 });
    const second = refusalOf(configure('0', { bitrate: 125_000 }));
    await eventually(() => asked.length > 0);
    const closing = close('0');
    await letThrough();
    expect(await closing).toMatchObject({ state: 'closing', bitrate: 250_000 });
    expect(await first).toMatchObject({ state: 'closing', bitrate: 250_000 });
    expect((await second).code).toBe('channel_not_found');
    expect(asked).toHaveLength(1);
    expect(received).toEqual(['closed']);
  });

  it('succeeds although the hardware fails in doing so', async () => {
    const channel = await rig.open(0);
    const error = new RangeError('stuck');
    channel.hardware.close = () => Promise.reject(error);
    expect(await close('0')).toMatchObject({ slot: 0, state: 'closing' });
    expect(rig.defects).toEqual([error]);
    expect(rig.table.channels).toEqual([]);
    expect(rig.broker.rings).toEqual([]);
  });

  it('keeps the frames of others coming', async () => {
    const zero = await rig.open(0);
    await rig.open(1);
    await rig.open(2);
    await close('2');
    sendHex(canOf(zero), 0x77, '01');
    rig.clock.advanceUs(1000);
    expect(rig.records(1)).toMatchObject([{ id: 0x77 }]);
  });
});

describe('closing all channels', () => {
  it('closes those that are open, being closed and being opened', async () => {
    await rig.open(0);
    await rig.open(1);
    const gate = new Deferred<void>();
    rig.audience.before = () => gate.promise;
    const opening = rig.table.open({ channel: 'SIM00001/2' }, rig.benchSource);
    await eventually(() => rig.audience.log.includes('opening 2'));
    const closing = close('0');
    const all = rig.table.closeAll();
    gate.resolve();
    await all;
    await expect(closing).resolves.toMatchObject({ slot: 0 });
    await expect(opening).resolves.toMatchObject({ slot: 2 });
    expect(rig.table.channels).toEqual([]);
    expect(rig.broker.rings).toEqual([]);
    expect(rig.audience.entries.size).toBe(0);
  });

  it('does nothing where none is open', async () => {
    await expect(rig.table.closeAll()).resolves.toBeUndefined();
  });
});
