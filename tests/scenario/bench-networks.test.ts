import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleBench, writeBench } from './support/bench-files.ts';
import { borrowChannelBench, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';

describe('the words of a bench', () => {
  it('open ports: a network the one it is bound to, a port name its own', async () => {
    const bench = await borrowChannelBench();
    writeBench(bench.project, sampleBench);
    const { slot: first, ...powertrain } = await bench.open('powertrain');
    expect(powertrain).toMatchObject({ selector: 'SIM00001/0', name: null });
    expect(await bench.open('chassis')).toMatchObject({ selector: 'SIM00001/1', name: null });
    expect(await bench.open('engine')).toMatchObject({ selector: 'SIM00001/2', name: 'engine' });
    for (const [word, slot] of [
      ['powertrain', first],
      ['chassis', first + 1],
      ['engine', first + 2],
    ] as const) {
      expect(await bench.show(word)).toMatchObject({ slot });
      expect(await bench.json('channel', 'show', word)).toMatchObject({ slot });
    }
  });

  it('name a port however it was opened, unless its opener names it', async () => {
    const bench = await borrowChannelBench();
    writeBench(bench.project, sampleBench);
    expect(await bench.open('sim-0000-0001/2')).toMatchObject({ name: 'engine' });
    await bench.remove('engine');
    const { slot, name } = await bench.open('engine', { name: 'motor' });
    expect(name).toBe('motor');
    expect(await bench.show('engine')).toMatchObject({ slot });
    expect(await bench.show('motor')).toMatchObject({ slot });
  });

  it('say with a send what they were taken for', async () => {
    const bench = await borrowChannelBench();
    writeBench(bench.project, sampleBench);
    const { slot: chassis } = await bench.open('SIM00001/1');
    const { slot: engine } = await bench.open('SIM00001/2');
    const answer = await bench.send({ channel: 'chassis', id: 1 });
    expect(answer.json()).toEqual({
      accepted: 1,
      channel: 'chassis',
      selector_kind: 'network',
      slot: chassis,
      resolved: 'SIM00001/1',
      response: null,
    });
    expect(await bench.json('message', 'send', 'engine', '001#')).toEqual({
      accepted: 1,
      channel: 'engine',
      selector_kind: 'name',
      slot: engine,
      resolved: null,
      response: null,
    });
  });

  it('of another project hold for the call that chose it, and for nobody else', async () => {
    const bench = await borrowChannelBench();
    const elsewhere = join(bench.project, 'elsewhere');
    writeBench(elsewhere, { networks: { powertrain: 'SIM00001/3' } });
    writeBench(bench.project, { networks: { powertrain: 'SIM00001/2' } });
    const { slot: own } = await bench.open('SIM00001/2');
    const { slot: other } = await bench.open('SIM00001/3');
    const slotFor = async (...args: string[]) =>
      (await bench.json('message', 'send', 'powertrain', '001#', ...args)).slot;
    expect(await slotFor()).toBe(own);
    expect(await slotFor(`--project=${elsewhere}`)).toBe(other);
    expect(await slotFor()).toBe(own);
    expect((await bench.send({ channel: 'powertrain', id: 1 })).json()).toMatchObject({
      slot: own,
    });
  });

  it('that lead nowhere say so, over both faces', async () => {
    const bench = await borrowChannelBench();
    writeBench(bench.project, sampleBench);
    const sends: [channel: string, code: string, more: object][] = [
      ['spare', 'network_unbound', { selector_kind: 'network' }],
      ['powertrain', 'channel_not_open', { selector_kind: 'network', resolved: 'SIM00001/0' }],
      ['chassis', 'channel_not_open', { selector_kind: 'network', resolved: 'SIM00001/1' }],
      ['ghost', 'channel_not_open', { selector_kind: 'network', resolved: 'GONE0001/7' }],
      ['engine', 'channel_not_open', { selector_kind: 'name' }],
      ['missing', 'channel_not_open', { selector_kind: 'name' }],
    ];
    for (const [channel, code, more] of sends) {
      const details = { channel, ...more };
      const web = refusedOverHttp(await bench.send({ channel, id: 1 }));
      expect(web).toEqual({ status: 409, code, details });
      const cli = refusedByCli(await bench.failure('message', 'send', channel, '001#'));
      expect(cli).toEqual({ exit: 1, code, details });
    }
  });

  it('that lead nowhere cannot be opened or shown either', async () => {
    const bench = await borrowChannelBench();
    writeBench(bench.project, sampleBench);
    const network = { selector_kind: 'network' };
    const words: [channel: string, status: number, code: string, more: object][] = [
      ['spare', 409, 'network_unbound', { selector_kind: 'network' }],
      ['plc', 404, 'channel_not_found', { ...network, resolved: 'tcp:plc.example:502' }],
      ['meters', 404, 'channel_not_found', { ...network, resolved: 'ascii:/dev/ttyS9:19200,7E1' }],
      ['ghost', 404, 'channel_not_found', { selector_kind: 'network', resolved: 'GONE0001/7' }],
      ['missing', 404, 'channel_not_found', { selector_kind: 'name' }],
    ];
    for (const [channel, status, code, more] of words) {
      const expected = { status, code, details: { channel, ...more } };
      const opened = await bench.post('/api/v1/channels', { channel });
      expect(refusedOverHttp(opened)).toEqual(expected);
      expect(refusedOverHttp(await bench.get(`/api/v1/channels/${channel}`))).toEqual(expected);
      expect(refusedOverHttp(await bench.remove(channel))).toEqual(expected);
      expect(refusedOverHttp(await bench.patch(channel, { mode: 'normal' }))).toEqual(expected);
      const cli = refusedByCli(await bench.failure('channel', 'open', channel));
      expect(cli).toEqual({ exit: 1, code, details: expected.details });
    }
  });
});
