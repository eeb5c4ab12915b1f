import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rule } from '../../src/gateway/engine/testing/rules.ts';
import {
  buildLibrary,
  exampleSource,
  examples,
  faultySource,
} from '../../src/gateway/plugins/testing/build-plugins.ts';
import { faultyProject, pluginProject } from '../../src/gateway/plugins/testing/plugin-project.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually } from '../support/workbench.ts';
import { refusedOverHttp } from './support/channel-bench.ts';
import { GatewayBench, peers } from './support/gateway-bench.ts';
import { hasEnded } from './support/processes.ts';
import type { Answered } from './support/transmit-bench.ts';

const hasCompiler = hasPeer('/usr/bin/cc', 'gcc');

const eventsOf = (bench: GatewayBench, event: string): Answered[] =>
  bench.log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((record) => record.event === event);

const startBench = async (): Promise<GatewayBench> => {
  const bench = new GatewayBench();
  await bench.start();
  await bench.openAll();
  mkdirSync(bench.path('plugins'));
  return bench;
};

describe.skipIf(!hasCompiler)('plugins of a project', () => {
  let bench: GatewayBench;

  beforeAll(async () => {
    bench = await startBench();
    for (const name of examples) {
      buildLibrary(exampleSource(name), bench.path(`plugins/${name}.so`));
    }
    buildLibrary(faultySource, bench.path('plugins/faulty.so'));
  });
  afterAll(() => bench.dispose());

  it(
    rule('plugin kinds', 'run on a bus: filter, codec, protection and answers to requests'),
    async () => {
      const project = pluginProject();
      project.endpoints[0].network = 'in';
      expect(await bench.runProject('plugged', project)).toMatchObject({ health: 'ok' });
      const after = await bench.newest();
      await bench.feed('40', 0x100);
      await bench.feed('80', 0x100);
      await bench.feed('3a', 0x101);
      await bench.feed('01e0', 0x102);
      await bench.feed('2207', 0x103);
      await bench.untilInstance('plugged', ({ tasks }) => tasks[3].sent === 1);
      expect(await bench.signal('plugged', 'smooth')).toMatchObject({ value: '96', valid: true });
      expect(await bench.signal('plugged', 'dial')).toMatchObject({ value: '163', valid: true });
      expect(await bench.signal('plugged', 'speed')).toMatchObject({ value: '1', valid: true });
      expect(await bench.signal('plugged', 'requests')).toMatchObject({ value: '1' });
      expect((await bench.set('plugged', 'knob', '163')).status).toBe(200);
      await bench.untilInstance('plugged', ({ tasks }) => tasks[1].sent === 2);
      await eventually(async () => {
        const sent = (await bench.receivedSoFar(peers.in, after)).map(
          ({ id, data }) => `${id.toString(16)} ${data}`,
        );
        return ['203 620701', '201 3A'].every((frame) => sent.includes(frame));
      });
      expect(eventsOf(bench, 'plugins_loaded')[0]).toMatchObject({
        instance: 'plugged',
        plugins: ['filter', 'swap', 'guard', 'server'],
      });
      // Node does not report descriptors that something else has closed.
      expect(bench.log).not.toContain('Warning');
      await bench.clear('plugged');
    },
  );

  it(
    rule(
      'failed plugin',
      'make their outputs errors when they fail, and good again when they do not',
    ),
    async () => {
      await bench.runProject('fails', faultyProject('faulty.so'));
      await bench.set('fails', 'fault', '7');
      expect(await bench.signal('fails', 'result')).toMatchObject({ value: '7', quality: 'good' });
      await bench.set('fails', 'fault', '1');
      expect(await bench.signal('fails', 'result')).toMatchObject({
        value: '7',
        quality: 'transform_error',
      });
      await bench.set('fails', 'fault', '8');
      expect(await bench.signal('fails', 'result')).toMatchObject({ value: '8', quality: 'good' });
      await bench.clear('fails');
    },
  );

  it(
    rule(
      'hung plugin',
      'that do not return are named, everything else is refused, and all goes on when they do',
    ),
    async () => {
      // Lasts until it is detected, on a machine of any speed.
      const returns = bench.path('returns');
      buildLibrary(faultySource, bench.path('plugins/slow.so'), `-DRETURNS_WITH="${returns}"`);
      await bench.runProject('slow', faultyProject('slow.so'));
      const set = bench.set('slow', 'fault', '3');
      const health = await bench.until('health', ({ plugins }) => plugins.unresponsive !== null);
      expect(health).toMatchObject({
        status: 'degraded',
        plugins: { status: 'degraded', unresponsive: { instance: 'slow', plugin: 'faulty' } },
      });
      expect(refusedOverHttp(await set)).toMatchObject({
        status: 504,
        code: 'instance_unresponsive',
        details: { instance: 'slow', plugin: 'faulty', applied: false },
      });
      expect(await bench.failure('channel', 'list')).toMatchObject({
        code: 'instance_unresponsive',
      });
      writeFileSync(returns, '');
      await bench.until('health', ({ plugins }) => plugins.unresponsive === null);
      // The call was rejected, so it has no effect later.
      for (const id of ['fault', 'result']) {
        expect(await bench.signal('slow', id)).toMatchObject({ value: '0', quality: 'good' });
      }
      expect((await bench.set('slow', 'fault', '7')).status).toBe(200);
      expect(await bench.signal('slow', 'result')).toMatchObject({ value: '7', quality: 'good' });
      for (const event of ['plugin_unresponsive', 'plugin_returned']) {
        expect(eventsOf(bench, event)).toMatchObject([{ instance: 'slow', plugin: 'faulty' }]);
      }
      await bench.clear('slow');
    },
  );

  describe('a plugin that cannot be used', () => {
    const build = (name: string, option: string) => (): void => {
      buildLibrary(faultySource, bench.path(`plugins/${name}.so`), option);
    };
    it.each<[string, string, () => void, object]>([
      ['is missing', 'missing_file', () => undefined, {}],
      [
        'is no library',
        'not_a_library',
        () => writeFileSync(bench.path('plugins/bad.so'), 'x'.repeat(100)),
        {},
      ],
      [
        'is for another machine',
        'wrong_architecture',
        () => {
          const header = Buffer.alloc(64);
          header.write('\x7fELF\x02\x01\x01', 'latin1');
          header.writeUInt16LE(3, 16);
          header.writeUInt16LE(8, 18);
          writeFileSync(bench.path('plugins/bad.so'), header);
        },
        {},
      ],
      ['has no such entry', 'missing_symbol', build('bad', '-DFINE'), { entry: 'none' }],
      ['is of another version', 'wrong_abi', build('bad', '-DWRONG_ABI'), {}],
      ['crashes as it is loaded', 'crashed', build('bad', '-DCRASHES_ON_LOAD'), {}],
      ['never comes to an end as it is loaded', 'timed_out', build('bad', '-DHANGS_ON_LOAD'), {}],
      ['refuses its settings', 'create_failed', build('bad', '-DREFUSES'), {}],
    ])(
      rule('tried before', 'fails the start if its library %s'),
      async (_, reason, prepare, plugin) => {
        prepare();
        const library = reason === 'missing_file' ? 'none.so' : 'bad.so';
        await bench.load('bad', faultyProject(library, plugin));
        const { status, code, details } = refusedOverHttp(await bench.tryStart('bad'));
        expect({ status, code, details }).toMatchObject({
          status: 422,
          code: 'plugin_failed',
          details: { field: 'plugins', plugin: 'faulty', reason },
        });
        expect(await bench.instance('bad')).toMatchObject({ state: 'loaded' });
        await bench.unload('bad');
      },
    );

    it(
      rule(
        'plugins below the project',
        'fails the start with 403 if a link leads its library away after the load',
      ),
      async () => {
        await bench.load('linked', faultyProject('linked.so'));
        symlinkSync('/usr/lib/os-release', bench.path('plugins/linked.so'));
        expect(refusedOverHttp(await bench.tryStart('linked'))).toMatchObject({
          status: 403,
          code: 'path_outside_project',
          details: { plugin: 'faulty' },
        });
        await bench.unload('linked');
      },
    );
  });
});

describe.skipIf(!hasCompiler)('a daemon whose plugin', () => {
  const prepare = async (): Promise<GatewayBench> => {
    const bench = await startBench();
    buildLibrary(faultySource, bench.path('plugins/faulty.so'));
    await bench.runProject('faulty', faultyProject('faulty.so'));
    return bench;
  };

  it(
    rule('crashed plugin', 'crashes ends, and the next one says which plugin it was'),
    async () => {
      const bench = await prepare();
      const pid = bench.daemonPid ?? 0;
      await bench.set('faulty', 'fault', '2').catch(() => undefined);
      await eventually(() => hasEnded(pid));
      await bench.json('daemon', 'start');
      expect(eventsOf(bench, 'plugin_crashed')).toMatchObject([
        { instance: 'faulty', plugin: 'faulty' },
      ]);
      await bench.dispose();
    },
  );

  it('never returns can be stopped all the same', async () => {
    const bench = await prepare();
    const pid = bench.daemonPid ?? 0;
    void bench.set('faulty', 'fault', '4').catch(() => undefined);
    await bench.until('health', ({ plugins }) => plugins.unresponsive !== null);
    await bench.json('daemon', 'stop');
    await eventually(() => hasEnded(pid));
    expect(eventsOf(bench, 'ended_by_force')).toMatchObject([{ plugin: 'faulty' }]);
    await bench.dispose();
  });
});
