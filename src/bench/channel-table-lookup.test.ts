import { beforeEach, describe, expect, it } from 'vitest';
import { selectorKinds } from './selector.ts';
import { refusalOf, TableRig } from './testing/table-rig.ts';

type Method = 'find' | 'use' | 'follow';
const methods: Method[] = ['find', 'use', 'follow'];

let rig: TableRig;
beforeEach(() => {
  rig = new TableRig();
});

const ask = (method: Method, text: string) => rig.table[method](text, rig.benchSource);

const refused = async (method: Method, text: string) => {
  const { code, details, message } = await refusalOf(ask(method, text));
  expect(message).toContain(text);
  return { code, ...details };
};

describe.each(methods)('%s', (method) => {
  beforeEach(async () => {
    await rig.open(2);
    await rig.open(0, { name: 'mine' });
    await rig.open(4, { name: 'door' });
  });

  it.each([
    ['1', 'slot', null],
    ['SIM00001/0', 'serial', null],
    ['sim-0000-0001/0', 'uid', null],
    ['mine', 'name', null],
    ['engine', 'name', null],
    ['powertrain', 'network', 'SIM00001/0'],
  ])('finds an open channel as %s', async (text, kind, resolved) => {
    const { channel, ...rest } = await ask(method, text);
    expect(channel.selector).toBe('SIM00001/0');
    expect(channel.slot).toBe(1);
    expect(rest).toEqual({ text, kind, resolved });
    expect(selectorKinds).toContain(kind);
  });

  it('resolves a network that is bound by UID to the stable selector', async () => {
    const { channel, resolved } = await ask(method, 'body');
    expect([channel.slot, resolved]).toEqual([2, 'SIM00001/4']);
  });

  it('asks for the bench only where a word is no name of an open channel', async () => {
    rig.benchQuestions = 0;
    for (const text of ['1', 'SIM00001/0', 'sim-0000-0001/0', 'mine']) await ask(method, text);
    await refusalOf(ask(method, 'SIM00001/1'));
    await refusalOf(ask(method, '9'));
    expect(rig.benchQuestions).toBe(0);
    await ask(method, 'engine');
    expect(rig.benchQuestions).toBe(1);
  });

  it('never gives slot 0 to a selector that fails', async () => {
    const fails = ['7', '99999999999999999999', 'nope', 'SIM00001/9', 'nobody/0', 'spare', '-0'];
    for (const text of fails) await refused(method, text);
    const malformed = ['', ' ', '/', 'SIM00001/', '0 ', '0/', 'a b'];
    for (const text of malformed) {
      expect(await refusalOf(ask(method, text))).toMatchObject({
        code: 'invalid_channel_selector',
        details: { field: method === 'find' ? 'selector' : 'channel', channel: text },
      });
    }
  });

  it('tells that a network is unbound, or not one of channels', async () => {
    expect(await refused(method, 'spare')).toEqual({
      code: 'network_unbound',
      channel: 'spare',
      selector_kind: 'network',
    });
    expect(await refused(method, 'plc')).toEqual({
      code: method === 'find' ? 'channel_not_found' : 'network_unbound',
      channel: 'plc',
      selector_kind: 'network',
      resolved: 'tcp:plc:502',
    });
  });

  it('passes on what is wrong with the bench', async () => {
    const broken = () => Promise.reject(new RangeError('broken bench'));
    await expect(rig.table[method]('engine', broken)).rejects.toThrow('broken bench');
    await expect(rig.table[method]('mine', broken)).resolves.toMatchObject({ kind: 'name' });
  });
});

const notFound = 'channel_not_found';
const notOpen = 'channel_not_open';

describe('without an open channel', () => {
  it.each<[text: string, kind: string, resolved: string | null, codes: Record<Method, string>]>([
    ['0', 'slot', null, { find: notFound, use: notOpen, follow: notFound }],
    ['SIM00001/0', 'serial', null, { find: notFound, use: notOpen, follow: notOpen }],
    ['sim-0000-0001/0', 'uid', null, { find: notFound, use: notOpen, follow: notOpen }],
    ['SIM00001/9', 'serial', null, { find: notFound, use: notOpen, follow: notFound }],
    ['sim-0000-0001/9', 'uid', null, { find: notFound, use: notOpen, follow: notFound }],
    ['nobody/0', 'serial', null, { find: notFound, use: notOpen, follow: notFound }],
    ['engine', 'name', null, { find: notFound, use: notOpen, follow: notOpen }],
    ['missing', 'name', null, { find: notFound, use: notOpen, follow: notOpen }],
    ['unheard-of', 'name', null, { find: notFound, use: notOpen, follow: notFound }],
    ['powertrain', 'network', 'SIM00001/0', { find: notFound, use: notOpen, follow: notOpen }],
    ['body', 'network', 'SIM00001/4', { find: notFound, use: notOpen, follow: notOpen }],
    ['nowhere', 'network', 'GONE0001/7', { find: notFound, use: notOpen, follow: notOpen }],
  ])('%s is refused as a %s, in the way of each question', async (text, kind, resolved, codes) => {
    const details = {
      channel: text,
      selector_kind: kind,
      ...(resolved !== null && { resolved }),
    };
    for (const method of methods) {
      expect(await refused(method, text)).toEqual({ code: codes[method], ...details });
    }
  });

  it('what was open once is refused like what never was', async () => {
    await rig.open(0, { name: 'mine' });
    await rig.table.close('mine', rig.benchSource);
    expect(await refused('find', '0')).toMatchObject({ code: notFound, selector_kind: 'slot' });
    expect(await refused('use', 'mine')).toMatchObject({ code: notOpen, selector_kind: 'name' });
    expect(await refused('follow', 'mine')).toMatchObject({ code: notFound });
  });
});

describe('a misspelt channel', () => {
  beforeEach(async () => {
    await rig.open(0, { name: 'motor' });
    await rig.open(4);
  });

  it.each([
    ['mtoor', 'motor'],
    ['engin', 'engine'],
    ['powertran', 'powertrain'],
    ['bodi', 'body'],
    ['SIM0001/0', 'SIM00001/0'],
    ['sim-0000-001/4', 'sim-0000-0001/4'],
  ])('is refused with the nearest open one as a hint: %s', async (text, near) => {
    for (const method of methods) {
      const { details } = await refusalOf(ask(method, text));
      expect(details).toMatchObject({ channel: text, hint: `Did you mean ${near}?` });
    }
  });

  it.each(['gearbx', 'unheard-of', '7', 'spare', 'gearbox'])(
    'is not taken for a channel that is not open, or far from all: %s',
    async (text) => {
      for (const method of methods) {
        expect((await refusalOf(ask(method, text))).details).not.toHaveProperty('hint');
      }
    },
  );
});

describe('a word with two meanings', () => {
  it('is first of all the name of an open channel', async () => {
    await rig.open(0);
    await rig.open(3, { name: 'powertrain' });
    const { channel, kind, resolved } = await ask('use', 'powertrain');
    expect([channel.port, kind, resolved]).toEqual([3, 'name', null]);
  });
});

describe('useNetwork', () => {
  it('takes a word for a network alone, and one that the bench does not have for unbound', async () => {
    await rig.open(0, { name: 'mine' });
    const { channel, kind } = await rig.table.useNetwork('powertrain', rig.benchSource);
    expect([channel.selector, kind]).toEqual(['SIM00001/0', 'network']);
    for (const network of ['spare', 'unheard-of', 'mine', 'engine', 'SIM00001/0']) {
      const { code, details } = await refusalOf(rig.table.useNetwork(network, rig.benchSource));
      expect([code, details.channel, details.selector_kind]).toEqual([
        'network_unbound',
        network,
        'network',
      ]);
    }
  });
});
