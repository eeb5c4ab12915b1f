import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileShared } from '../../src/base/testing/compile.ts';
import { cases, isLong } from '../../src/base/testing/long.ts';
import { rule } from '../../src/gateway/engine/testing/rules.ts';
import { buildLibrary, faultySource } from '../../src/gateway/plugins/testing/build-plugins.ts';
import { faultyProject } from '../../src/gateway/plugins/testing/plugin-project.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually } from '../support/workbench.ts';
import { refusedOverHttp } from './support/channel-bench.ts';
import { GatewayBench } from './support/gateway-bench.ts';
import { hasEnded, processesOf } from './support/processes.ts';
import type { Answered } from './support/transmit-bench.ts';

const hasCompiler = hasPeer('/usr/bin/cc', 'gcc');

const startBench = async (): Promise<GatewayBench> => {
  const bench = new GatewayBench();
  await bench.start();
  await bench.openAll();
  mkdirSync(bench.path('plugins'));
  return bench;
};

/** Builds the plugin with statements for its `create`. */
const build = (bench: GatewayBench, name: string, inCreate: string): void => {
  buildLibrary(faultySource, bench.path(`plugins/${name}.so`), `-DIN_CREATE=${inCreate}`);
};

/** Processes of the bench other than its daemon and commands. */
const leftOf = (bench: GatewayBench): number[] =>
  processesOf(bench.home)
    .filter(({ kind }) => kind === 'other')
    .map(({ pid }) => pid);

const librariesOf = (bench: GatewayBench): string[] =>
  readdirSync(join(bench.home, 'plugin-libraries'));

describe.skipIf(!hasCompiler)('the trial of a plugin', () => {
  let bench: GatewayBench;

  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(() => bench.dispose());

  const expectUnharmed = async (): Promise<void> => {
    const { threads } = (await bench.status('health')).daemon;
    expect(threads.map(({ restarts }: Answered) => restarts)).toEqual([0, 0]);
    await eventually(() => leftOf(bench).length === 0);
    expect(librariesOf(bench)).toEqual([]);
  };

  const writes = [
    ['junk', 'write(3, "junk\\n", 5);'],
    ['half a line', 'write(3, "{", 1);'],
    ['a line without an end', 'for (int i = 0; i < 4096; i++) write(3, setup->message, 512);'],
    ['binary', 'write(3, "\\0\\377\\n\\200\\n", 5);'],
    ['a step that it is not at', 'write(3, "{\\"step\\":0}\\n", 11);'],
    ['an end before the end', 'write(3, "{\\"done\\":true}\\n", 14);'],
    ['JSON of another shape', 'write(3, "[null]\\n", 7);'],
    ['an error of another shape', 'write(3, "{\\"error\\":null}\\n", 15);'],
    ['an endless stream', 'for (;;) write(3, "{\\"step\\":3}\\n", 11);'],
  ] as const;

  it.each(writes.slice(0, cases(2, writes.length)))(
    rule('tried before', 'fails the start if it writes %s where the trial is reported'),
    async (_, statement) => {
      build(bench, 'writes', statement);
      await bench.load('writes', faultyProject('writes.so'));
      expect(refusedOverHttp(await bench.tryStart('writes'))).toMatchObject({
        status: 422,
        code: 'plugin_failed',
        details: { plugin: 'faulty', reason: 'interfered' },
      });
      expect(await bench.instance('writes')).toMatchObject({ state: 'loaded' });
      await expectUnharmed();
      await bench.unload('writes');
    },
  );

  it('fails the start if it closes the descriptors of the process', async () => {
    build(bench, 'closes', 'for (int i = 0; i < 64; i++) close(i);');
    await bench.load('closes', faultyProject('closes.so'));
    expect(refusedOverHttp(await bench.tryStart('closes'))).toMatchObject({
      code: 'plugin_failed',
      details: { reason: 'crashed' },
    });
    await expectUnharmed();
    await bench.unload('closes');
  });

  const inTrial = 'if (getenv("BUSBAR_PLUGIN_TRIAL"))';

  const remains = [
    [
      'a process of its own',
      'if (fork() == 0) { setsid(); if (fork() == 0) { for (;;) pause(); } _exit(0); }',
    ],
    ['a child process', 'if (fork() == 0) { for (;;) pause(); }'],
    ['a child that leaves the process group', 'if (fork() == 0) { setsid(); for (;;) pause(); }'],
    [
      'much output',
      'for (int i = 0; i < 8192; i++) { write(1, setup->message, 512); write(2, setup->message, 512); }',
    ],
  ] as const;

  it.each(remains.slice(0, cases(1, remains.length)))(
    'is over when the plugin returns, also if it leaves %s behind',
    async (_, statement) => {
      build(bench, 'leaves', `${inTrial} { ${statement} }`);
      expect(await bench.runProject('leaves', faultyProject('leaves.so'))).toMatchObject({
        state: 'running',
      });
      await expectUnharmed();
      await bench.clear('leaves');
    },
  );

  it.runIf(isLong)(
    'ends after its time, also if a child process holds its descriptors, and keeps the instance until then',
    async () => {
      build(bench, 'hangs', 'if (fork() == 0) { setsid(); } for (;;) pause();');
      await bench.load('hangs', faultyProject('hangs.so'));
      const start = bench.tryStart('hangs');
      await bench.untilInstance('hangs', ({ state }) => state === 'starting');
      const refusals = [await bench.delete('gateways/hangs'), await bench.tryStart('hangs')];
      expect(refusals.map(refusedOverHttp)).toMatchObject([
        { status: 409, code: 'instance_running', details: { state: 'starting' } },
        { status: 409, code: 'instance_running', details: { state: 'starting' } },
      ]);
      expect(refusedOverHttp(await start)).toMatchObject({
        code: 'plugin_failed',
        details: { reason: 'timed_out' },
      });
      expect(await bench.instance('hangs')).toMatchObject({ state: 'loaded' });
      await expectUnharmed();
      await bench.unload('hangs');
    },
  );
});

describe.skipIf(!hasCompiler)('a start with a slow plugin', () => {
  let bench: GatewayBench;

  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(() => bench.dispose());

  it.runIf(isLong)('takes as long as the trial allows', async () => {
    build(bench, 'slow', 'sleep(2);');
    expect(await bench.runProject('slow', faultyProject('slow.so'))).toMatchObject({
      state: 'running',
    });
    await bench.clear('slow');
  });

  it.runIf(isLong)(rule('one verdict', 'does not run once it was refused'), async () => {
    const returns = bench.path('returns');
    const wait = `while (!getenv("BUSBAR_PLUGIN_TRIAL") && access("${returns}", F_OK)) usleep(10000);`;
    build(bench, 'late', wait);
    await bench.load('late', faultyProject('late.so'));
    expect(refusedOverHttp(await bench.tryStart('late'))).toMatchObject({
      status: 504,
      code: 'instance_unresponsive',
      details: { instance: 'late', plugin: 'faulty', applied: false },
    });
    writeFileSync(returns, '');
    await bench.until('health', ({ plugins }) => plugins.unresponsive === null);
    expect(await bench.untilInstance('late', ({ state }) => state !== 'starting')).toMatchObject({
      state: 'loaded',
    });
    expect(await bench.startInstance('late')).toMatchObject({ state: 'running' });
    await bench.clear('late');
  });

  it.runIf(isLong)(
    'has no effect for sets of other instances that were refused meanwhile',
    async () => {
      const returns = bench.path('goes-on');
      buildLibrary(faultySource, bench.path('plugins/waits.so'), `-DRETURNS_WITH="${returns}"`);
      buildLibrary(faultySource, bench.path('plugins/fine.so'));
      await bench.runProject('waits', faultyProject('waits.so'));
      await bench.runProject('other', faultyProject('fine.so'));
      const first = bench.set('waits', 'fault', '3');
      const second = bench.set('other', 'fault', '5');
      await bench.until('health', ({ plugins }) => plugins.unresponsive !== null);
      writeFileSync(returns, '');
      for (const set of [first, second]) {
        const { status, details } = refusedOverHttp(await set);
        expect({ status, applied: details.applied }).toEqual({ status: 504, applied: false });
      }
      await bench.until('health', ({ plugins }) => plugins.unresponsive === null);
      expect(await bench.signal('waits', 'fault')).toMatchObject({ value: '0' });
      expect(await bench.signal('other', 'fault')).toMatchObject({ value: '0' });
      await bench.clear('waits', 'other');
    },
  );
});

describe.skipIf(!hasCompiler)('a plugin with a library next to it', () => {
  let bench: GatewayBench;

  beforeAll(async () => {
    bench = await startBench();
    mkdirSync(bench.path('plugins/lib'));
  });
  afterAll(() => bench.dispose());

  const buildHelper = (addend: number): void => {
    const source = bench.path('helper.c');
    writeFileSync(
      source,
      `unsigned long addend(void);\nunsigned long addend(void) { return ${addend}; }\n`,
    );
    compileShared(source, bench.path('plugins/lib/libhelper.so'));
  };

  const buildPlugin = (): void => {
    const options = ['-DADDEND=addend()', `-L${bench.path('plugins/lib')}`];
    const linked = ['-Wl,--no-as-needed', '-lhelper', '-Wl,-rpath,$ORIGIN/lib'];
    const file = bench.path('plugins/helped.so');
    compileShared(faultySource, file, `-I${sdk}`, ...options, ...linked);
  };
  const sdk = join(import.meta.dirname, '../../plugin-sdk');

  const resultOf = async (instance: string): Promise<string> => {
    await bench.runProject(instance, faultyProject('helped.so'));
    await bench.set(instance, 'fault', '100');
    return (await bench.signal(instance, 'result')).value;
  };

  it(
    rule('plugins below the project', 'is loaded with it, and with each new build of it'),
    async () => {
      buildHelper(1);
      buildPlugin();
      expect(await resultOf('first')).toBe('101');
      buildHelper(2);
      expect(await resultOf('second')).toBe('102');
      await bench.set('first', 'fault', '200');
      expect(await bench.signal('first', 'result')).toMatchObject({ value: '201' });
      await bench.clear('first', 'second');
    },
  );

  it.runIf(isLong)(
    'leaves no descriptor and no file behind, however often it was built',
    async () => {
      const { daemonPid } = bench;
      const descriptors = (): string[] => readdirSync(`/proc/${daemonPid}/fd`);
      const memory = (): string => readFileSync(`/proc/${daemonPid}/maps`, 'latin1');
      buildHelper(10);
      buildPlugin();
      await resultOf('built');
      await bench.clear('built');
      const before = descriptors().length;
      for (let addend = 11; addend < 16; addend++) {
        buildHelper(addend);
        expect(await resultOf('built')).toBe(String(100 + addend));
        await bench.clear('built');
      }
      // Connections of the test come and go.
      await eventually(() => descriptors().length <= before);
      expect(librariesOf(bench)).toEqual([]);
      expect(memory()).toContain('/memfd:lib/libhelper.so');
    },
  );

  it(
    rule('plugins below the project', 'is refused with 403 if a link leads out of the folder'),
    async () => {
      buildHelper(1);
      buildPlugin();
      const elsewhere = bench.path('elsewhere.so');
      compileShared(bench.path('helper.c'), elsewhere);
      rmSync(bench.path('plugins/lib/libhelper.so'));
      symlinkSync(elsewhere, bench.path('plugins/lib/libhelper.so'));
      await bench.load('linked', faultyProject('helped.so'));
      expect(refusedOverHttp(await bench.tryStart('linked'))).toMatchObject({
        status: 403,
        code: 'path_outside_project',
        details: { plugin: 'faulty', path: 'plugins/lib/libhelper.so' },
      });
      await bench.unload('linked');
    },
  );
});

describe.runIf(isLong && hasCompiler)('a daemon that ends during a trial', () => {
  const spin = async (before: string): Promise<GatewayBench> => {
    const bench = await startBench();
    const note = `close(open("${bench.path('spins')}", O_CREAT | O_WRONLY, 0600));`;
    build(bench, 'spins', `${before} ${note} for (volatile int i = 0;; i++) {}`);
    await bench.load('spins', faultyProject('spins.so'));
    void bench.tryStart('spins').catch(() => undefined);
    await eventually(() => bench.has('spins'));
    return bench;
  };
  const kill = (bench: GatewayBench): boolean => process.kill(bench.daemonPid ?? 0, 'SIGKILL');
  const stop = (bench: GatewayBench): Promise<unknown> => bench.json('daemon', 'stop');

  const ends = [
    ['is stopped', 'alarm(0);', stop],
    ['was killed', 'alarm(0);', kill],
    ['was killed, and the plugin lets no process end with another', 'prctl(1, 0, 0, 0, 0);', kill],
  ] as const;

  it.each(ends)('leaves no process behind if it %s', async (_, before, end) => {
    const bench = await spin(before);
    const pid = bench.daemonPid ?? 0;
    await end(bench);
    await eventually(() => hasEnded(pid));
    await eventually(() => leftOf(bench).length === 0);
    await bench.dispose();
  });
});
