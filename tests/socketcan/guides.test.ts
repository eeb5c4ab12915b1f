import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { differencesOf, type GuidePlace } from '../support/guide-run.ts';
import { eventually, repository, setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { dumpOf, program } from './support/can-programs.ts';
import { ip } from './support/socketcan-rig.ts';

const guideText = (name: string): string =>
  readFileSync(join(repository, 'docs', 'guides', `${name}.md`), 'utf8');

/** Tests run as root, and sudo may be missing. */
const asRoot: GuidePlace = {
  here: (command) => command,
  there: (reported) => reported,
  before: 'sudo() { "$@"; }',
};

describe('the guide to CAN interfaces of Linux', () => {
  const made = ['vcan0', 'vcan1'];
  const receiveLimit = '/proc/sys/net/core/rmem_max';
  const limit = readFileSync(receiveLimit, 'utf8');
  beforeEach(() => {
    ip('link set can0 down');
    // The guide makes them.
    for (const name of made) ip('link del', name);
  });
  afterEach(() => {
    writeFileSync(receiveLimit, limit);
    ip('link set can0 down');
    for (const name of made) {
      if (!existsSync(`/sys/class/net/${name}`)) ip('link add', name, 'type vcan');
      ip('link set', name, 'up');
    }
  });

  it('shows what happens', async () => {
    const bench = setUpWorkbench();
    const wrong = await differencesOf('socketcan.md', guideText('socketcan'), bench, asRoot);
    expect(wrong, wrong).toBe('');
    // Kernel routes are visible to its own programs. cangw exits with an error even on success.
    expect(await program('sh', '-c', 'cangw -L; true')).toContain('-s vcan0 -d vcan1');
    const bcm = execFileSync('sh', ['-c', 'cat /proc/net/can-bcm/*'], { encoding: 'utf8' });
    expect(bcm).toMatch(/tx_op: 123 /);
  });
});

/** The left of the table, and what the right has to be the same as. */
describe('the page for those who come from can-utils', () => {
  const rows = new Map(
    guideText('coming-from')
      .split('\n')
      .map((line) => /^\| `([^`]+)` \| `([^`]+)` \|$/.exec(line))
      .flatMap((row) => (row?.[1] && row[2] ? [[row[1], row[2]] as const] : [])),
  );
  /** The same on the interfaces of this machine, one of which is `tester` in Busbar. */
  const theirs = (shown: string): string => {
    expect([...rows.keys()]).toContain(shown);
    return shown.replaceAll('can0', 'vcan0');
  };
  const ours = (shown: string): string[] =>
    (rows.get(shown) as string)
      .replace('SIM00001/0', 'vcan0/0')
      .replace('--map=can0', '--map=vcan0')
      .split(' ')
      .slice(1);
  const shell = (command: string, bench: Workbench): string =>
    execFileSync('bash', ['-c', command], { encoding: 'utf8', cwd: bench.project });

  const setUp = async (): Promise<Workbench> => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start');
    await bench.json(...ours('ip link set can0 up type can bitrate 500000'));
    return bench;
  };

  it.each([
    ['cansend can0 123#DEADBEEF', /123#DEADBEEF/g],
    // candump shows the raw flags, which may include CANFD_FDF (4).
    ['cansend can0 123##1DEADBEEF', /123##[15]DEADBEEF/g],
  ])('has `%s` do what Busbar does', async (shown, received) => {
    const bench = await setUp();
    const dump = await dumpOf('vcan0');
    await bench.json(...ours(shown));
    shell(theirs(shown), bench);
    // Frames of any sender are received by all others.
    await eventually(() => dump.output.match(received)?.length === 2);
    const seen = await bench.run(['message', 'recv', '--after=0', '--count=2', '--format=jsonl']);
    const [own, other] = seen.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(other).toMatchObject({ kind: 'rx_frame', id: own.id, data: own.data, brs: own.brs });
    expect(own).toMatchObject({ kind: 'tx_complete', data: 'DEADBEEF' });
  });

  it('plays and converts the logs of candump as their own programs do', async () => {
    const bench = await setUp();
    const lines = Array.from({ length: 5 }, (_, i) => `(100.00${i}000) vcan0 1${i}0#0${i}`);
    writeFileSync(join(bench.project, 'candump.log'), `${lines.join('\n')}\n`);
    const dump = await dumpOf('vcan0');
    shell(theirs('canplayer -I candump.log'), bench);
    await bench.json(...ours('canplayer -I candump.log'));
    await eventually(() => dump.output.split('140#04').length === 3);
    for (const line of lines) {
      expect(dump.output.split(line.slice(line.lastIndexOf(' ')))).toHaveLength(3);
    }
    const frames = (text: string): string[] =>
      [...text.matchAll(/ ([0-9A-F]{3}) +Rx +d 1 ([0-9A-F]{2})/g)].map(
        ([, id, data]) => `${id} ${data}`,
      );
    const theirFile = shell(theirs('log2asc -I candump.log can0'), bench);
    await bench.json(...ours('log2asc -I candump.log can0'));
    const ourFile = readFileSync(join(bench.project, 'candump.asc'), 'latin1');
    expect(frames(theirFile)).toHaveLength(lines.length);
    expect(frames(ourFile)).toEqual(frames(theirFile));
  });
});
