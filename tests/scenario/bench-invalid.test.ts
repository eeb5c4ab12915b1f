import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchFileName, writeBench } from './support/bench-files.ts';
import {
  api,
  borrowChannelBench,
  refusedByCli,
  refusedOverHttp,
  setUpChannelBench,
} from './support/channel-bench.ts';

const wrong = {
  project_id: 5,
  colour: 'red',
  devices: [
    { driver: 'virtual' },
    { driver: 'virtual', address: 'SIM00001', ports: { 0: 'same', 1: 'same', x: 'odd', 2: '7' } },
  ],
  networks: {
    'a b': 'SIM00001/0',
    bound: 'SIM00001',
    number: 7,
    same: null,
    plc: { tcp: { host: '', port: 0 } },
    line: { serial: { port: '/dev/ttyS9', framing: 'morse' } },
  },
};

const fieldsAtFault = [
  'colour',
  'project_id',
  'devices[0].address',
  'devices[1].ports.1',
  'devices[1].ports.2',
  'devices[1].ports.x',
  'networks["a b"]',
  'networks.bound',
  'networks.number',
  'networks.same',
  'networks.plc.tcp.host',
  'networks.plc.tcp.port',
  'networks.line.serial.framing',
];

const fieldsOf = (details: Record<string, unknown>): string[] =>
  (details.problems as { field: string }[]).map(({ field }) => field);

describe('a bench file with mistakes', () => {
  it('is refused with all of them at once, over both faces', async () => {
    const bench = await borrowChannelBench();
    const path = writeBench(bench.project, wrong);
    const web = refusedOverHttp(await bench.get(`${api}/bench`));
    const cli = refusedByCli(await bench.failure('bench', 'show'));
    expect(web).toMatchObject({ status: 422, code: 'invalid_bench', details: { path } });
    expect(cli).toMatchObject({ exit: 1, code: 'invalid_bench', details: { path } });
    expect(fieldsOf(web.details).sort()).toEqual([...fieldsAtFault].sort());
    expect(cli.details).toEqual(web.details);
  });

  it('is refused however it is broken, and the next call is answered', async () => {
    const bench = await borrowChannelBench();
    const texts = {
      truncated: '{"networks":',
      repeated: '{"project_id":"a","project_id":"b"}',
      list: '["SIM00001/0"]',
      empty: '',
      huge: `{"project_id":"${'x'.repeat(1024 * 1024)}"}`,
    };
    for (const [name, text] of Object.entries(texts)) {
      const directory = join(bench.project, name);
      const path = writeBench(directory, text);
      const refused = await bench.failure('bench', 'show', `--project=${directory}`);
      const { exit, code, details } = refused;
      expect({ exit, code, path: details.path }).toEqual({ exit: 1, code: 'invalid_bench', path });
      expect([name, details.problems]).toEqual([name, [expect.anything()]]);
    }
    mkdirSync(join(bench.project, benchFileName));
    expect(await bench.failure('bench', 'show')).toMatchObject({ exit: 1, code: 'invalid_bench' });
    const sound = join(bench.project, 'sound');
    writeBench(sound, { project_id: 'sound' });
    expect(await bench.json('bench', 'show', `--project=${sound}`)).toMatchObject({
      project_id: 'sound',
    });
  });

  it('keeps nobody from a port, an open channel or a slot, only from words of the bench', async () => {
    const bench = await setUpChannelBench();
    writeBench(bench.project, wrong);
    await bench.open('SIM00001/0', { name: 'engine' });
    await bench.open('sim-0000-0001/1');
    for (const channel of ['SIM00001/0', 'sim-0000-0001/1', 'engine', '1']) {
      const answer = await bench.send({ channel, id: 1 });
      expect([channel, answer.status]).toEqual([channel, 200]);
    }
    const web = refusedOverHttp(await bench.send({ channel: 'powertrain', id: 1 }));
    expect(web).toMatchObject({ status: 422, code: 'invalid_bench' });
    expect(web.details.channel).toBe('powertrain');
    const cli = refusedByCli(await bench.failure('message', 'send', 'powertrain', '001#'));
    expect(cli).toMatchObject({
      exit: 1,
      code: 'invalid_bench',
      details: { channel: 'powertrain' },
    });
    const shown = refusedOverHttp(await bench.get(`${api}/channels/powertrain`));
    expect(shown).toMatchObject({ status: 422, code: 'invalid_bench' });
  });
});
