import { beforeEach, describe, expect, it } from 'vitest';
import { Deferred } from '../base/deferred.ts';
import { eventually } from '../base/testing/eventually.ts';
import { defaultRingSlots, slotsOf } from '../broker/ring-memory.ts';
import { RecordingSink } from '../drivers/testing/recording-sink.ts';
import { refusalOf, TableRig } from './testing/table-rig.ts';

let rig: TableRig;
beforeEach(() => {
  rig = new TableRig();
});

const open = (channel: string, more: object = {}) =>
  rig.table.open({ channel, ...more }, rig.benchSource);

/** The failed attempt left nothing open: another port can be opened, and is the only one. */
const expectNothingLeft = async (port = 0): Promise<void> => {
  expect(rig.table.channels).toEqual([]);
  expect(rig.table.entries).toEqual([]);
  expect(rig.broker.rings).toEqual([]);
  expect(rig.audience.entries.size).toBe(0);
  await expect(open(`SIM00001/${port}`)).resolves.toMatchObject({ state: 'open' });
};

describe('opening a channel', () => {
  it.each([
    ['SIM00001/0', 0],
    ['sim-0000-0001/3', 3],
    ['gearbox', 1],
    ['powertrain', 0],
    ['body', 4],
  ])('takes %s for a port', async (text, port) => {
    expect(await open(text)).toMatchObject({ slot: 0, port, state: 'open', sn: 'SIM00001' });
    expect(rig.table.channels.map((channel) => channel.port)).toEqual([port]);
  });

  it.each([
    ['0', 'slot', undefined],
    ['unheard-of', 'name', undefined],
    ['missing', 'name', undefined],
    ['nobody/0', 'serial', undefined],
    ['SIM00001/6', 'serial', undefined],
    ['sim-0000-0001/6', 'uid', undefined],
    ['nowhere', 'network', 'GONE0001/7'],
    ['plc', 'network', 'tcp:plc:502'],
  ])('does not find a port in %s', async (text, selector_kind, resolved) => {
    const { code, details } = await refusalOf(open(text));
    expect(code).toBe('channel_not_found');
    expect(details).toEqual({ channel: text, selector_kind, ...(resolved && { resolved }) });
  });

  it('gives a port the same number each time, whatever was opened before', async () => {
    const numbers: [number, number][] = [];
    for (const port of [1, 0, 1, 5, 1]) {
      const { slot, number } = await open(`SIM00001/${port}`);
      numbers.push([slot, number]);
      await rig.table.close(String(slot), rig.benchSource);
    }
    expect(numbers).toEqual([
      [0, 2],
      [1, 1],
      [2, 2],
      [3, 6],
      [4, 2],
    ]);
  });

  it('does not open by slot, even the slot of an open channel', async () => {
    await open('SIM00001/0');
    expect(await refusalOf(open('0'))).toMatchObject({
      code: 'channel_not_found',
      details: { channel: '0', selector_kind: 'slot' },
    });
  });

  it('does not open an unbound network', async () => {
    const { code, details } = await refusalOf(open('spare'));
    expect(code).toBe('network_unbound');
    expect(details).toEqual({ channel: 'spare', selector_kind: 'network' });
  });

  it.each(['', 'SIM00001/', 'a b'])('refuses the malformed selector %j', async (text) => {
    expect(await refusalOf(open(text))).toMatchObject({
      code: 'invalid_channel_selector',
      details: { channel: text },
    });
  });

  it.each([
    ['SIM00001/0', 'serial'],
    ['sim-0000-0001/0', 'uid'],
    ['engine', 'name'],
    ['powertrain', 'network'],
  ])('refuses a port that is open already, named as %s', async (text, selector_kind) => {
    await open('SIM00001/1');
    await open('SIM00001/0');
    expect(await refusalOf(open(text))).toMatchObject({
      code: 'already_exists',
      details: { channel: text, selector_kind, slot: 1 },
    });
  });

  it('gives the port to exactly one of several who want it at the same time', async () => {
    const texts = ['SIM00001/0', 'sim-0000-0001/0', 'engine', 'powertrain'];
    const answers = await Promise.allSettled(texts.map((text) => open(text)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue;
      expect(answer.reason).toMatchObject({ code: 'already_exists', details: { slot: 0 } });
    }
    expect(rig.audience.log).toEqual(['opening 0']);
    expect(rig.table.channels).toHaveLength(1);
  });

  it('counts slots up and uses none again', async () => {
    await open('SIM00001/0');
    await open('SIM00001/1');
    await rig.table.close('1', rig.benchSource);
    expect((await open('SIM00001/1')).slot).toBe(2);
    expect(rig.table.channels.map(({ slot }) => slot)).toEqual([0, 2]);
  });

  it('has readers follow the ring before the driver can write, and lists the channel last', async () => {
    const ready = new Deferred<void>();
    rig.audience.before = () => ready.promise;
    const opening = open('SIM00001/0');
    await eventually(() => rig.audience.log.length > 0);
    expect(rig.audience.log).toEqual(['opening 0']);
    expect(rig.table.entries).toMatchObject([{ slot: 0, selector: 'SIM00001/0', name: 'engine' }]);
    expect(rig.table.channels).toEqual([]);
    await expect(
      rig.driver.open('SIM00001', 0, {}, new RecordingSink()).then((channel) => channel.close()),
    ).resolves.toBeUndefined();
    ready.resolve();
    await opening;
    expect(rig.table.channels).toHaveLength(1);
  });

  it('hands the settings to the driver', async () => {
    expect(
      await open('SIM00001/0', {
        bus: 'can',
        mode: 'listen_only',
        bitrate: 125_000,
        termination: false,
      }),
    ).toMatchObject({
      bus: 'can',
      mode: 'listen_only',
      bitrate: 125_000,
      data_bitrate: null,
      termination: false,
    });
  });
});

describe('the name of a channel', () => {
  it('is the one that was asked for', async () => {
    expect((await open('SIM00001/0', { name: 'mine' })).name).toBe('mine');
  });

  it('is else the one that the bench has for the port, however that was selected', async () => {
    expect((await open('sim-0000-0001/0')).name).toBe('engine');
    expect((await open('gearbox')).name).toBe('gearbox');
    expect((await open('SIM00001/2')).name).toBeNull();
  });

  it('is nothing if another channel has the name that the bench gives', async () => {
    await open('SIM00001/3', { name: 'engine' });
    expect((await open('SIM00001/0')).name).toBeNull();
  });

  it('is nothing if the bench is broken and not needed for anything else', async () => {
    const broken = () => Promise.reject(new RangeError('broken bench'));
    const record = await rig.table.open({ channel: 'SIM00001/0' }, broken);
    expect(record.name).toBeNull();
  });

  it('must not be that of another open channel', async () => {
    await open('SIM00001/0', { name: 'mine' });
    expect(await refusalOf(open('SIM00001/1', { name: 'mine' }))).toMatchObject({
      code: 'already_exists',
      details: { field: 'name', name: 'mine', channel: 'SIM00001/1' },
    });
    const answers = await Promise.allSettled(
      ['SIM00001/2', 'SIM00001/3'].map((text) => open(text, { name: 'both' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it.each(['', '7', 'a/b', 'a b', 'x'.repeat(65)])('must not be %j', async (name) => {
    expect(await refusalOf(open('SIM00001/0', { name }))).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'name' },
    });
  });
});

describe('an opening that fails', () => {
  it('leaves nothing behind when the driver refuses', async () => {
    expect(await refusalOf(open('SIM00001/0', { lin: { role: 'master' } }))).toMatchObject({
      code: 'unsupported_by_hardware',
      details: { setting: 'lin' },
    });
    expect(rig.audience.log).toEqual(['opening 0', 'closed 0']);
    await expectNothingLeft();
    expect(rig.table.channels[0]?.slot).toBe(0);
  });

  it('gives the memory of its ring to the next channel', async () => {
    const buffers: SharedArrayBuffer[] = [];
    rig.audience.before = async () => {
      buffers.push(...rig.table.entries.map(({ ring }) => ring.buffer));
    };
    await refusalOf(open('SIM00001/0', { bitrate: 1 }));
    await open('SIM00001/0');
    expect(buffers).toHaveLength(2);
    expect(buffers[0]).toBe(buffers[1]);
  });

  it('leaves nothing behind when the device is gone', async () => {
    await rig.table.devices();
    rig.driver.faults.loseDevice();
    expect((await refusalOf(open('SIM00001/0'))).code).toBe('channel_not_found');
    rig.driver.faults.returnDevice();
    await expectNothingLeft();
  });

  it('tells that the device is gone where another channel waits for it', async () => {
    await open('SIM00001/0');
    rig.driver.faults.loseDevice();
    expect(await refusalOf(open('SIM00001/1'))).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'device_lost' },
    });
    expect(rig.table.channels).toHaveLength(1);
  });
});

describe('readers that are gone', () => {
  it('do not keep a channel from being opened and closed', async () => {
    const error = new RangeError('the thread has died');
    rig.audience.before = () => Promise.reject(error);
    expect(await open('SIM00001/0')).toMatchObject({ state: 'open' });
    expect(rig.table.entries).toHaveLength(1);
    expect(await rig.table.close('0', rig.benchSource)).toMatchObject({ state: 'closing' });
    expect(rig.defects).toEqual([error, error]);
    await expectNothingLeft();
  });

  it('may still hold the ring, whose memory is not used again', async () => {
    await open('SIM00001/0');
    const before = rig.table.entries[0]?.ring.buffer;
    rig.audience.before = () => Promise.reject(new RangeError('no answer'));
    await rig.table.close('0', rig.benchSource);
    await open('SIM00001/0');
    expect(rig.table.entries[0]?.ring.buffer).not.toBe(before);
  });
});

describe('the history', () => {
  const sizes = () => rig.table.entries.map(({ ring }) => slotsOf(ring.buffer));

  it('grows for all channels, and those opened later', async () => {
    await open('SIM00001/0');
    await open('SIM00001/1');
    await rig.table.growHistory(1000);
    expect(sizes()).toEqual([defaultRingSlots, defaultRingSlots]);
    await rig.table.growHistory(40_000);
    await open('SIM00001/2');
    expect(sizes()).toEqual([65_536, 65_536, 65_536]);
    await rig.table.growHistory(10);
    await open('SIM00001/3');
    expect(sizes()).toEqual([65_536, 65_536, 65_536, 65_536]);
  });

  it('grows for a channel that is just being opened', async () => {
    rig.audience.before = async () => rig.table.growHistory(40_000);
    await open('SIM00001/0');
    expect(sizes()).toEqual([65_536]);
  });

  it.each([2_000_000, Number.POSITIVE_INFINITY, Number.NaN])(
    'does not grow beyond all rings: %d events',
    async (capacity) => {
      await open('SIM00001/0');
      await expect(rig.table.growHistory(capacity)).rejects.toMatchObject({
        code: 'capacity_exceeded',
      });
      expect(sizes()).toEqual([defaultRingSlots]);
    },
  );

  it('stays as it was where memory runs out', async () => {
    await open('SIM00001/0');
    const buffer = rig.table.entries[0]?.ring.buffer;
    Object.defineProperty(buffer, 'grow', {
      value: () => {
        throw new RangeError('out of memory');
      },
    });
    await expect(rig.table.growHistory(40_000)).rejects.toMatchObject({
      code: 'capacity_exceeded',
    });
    await open('SIM00001/1');
    expect(sizes()).toEqual([defaultRingSlots, defaultRingSlots]);
  });
});
