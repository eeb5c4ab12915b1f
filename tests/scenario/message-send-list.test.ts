import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { busbar, eventually } from '../support/workbench.ts';
import { shareChannelBench } from './support/channel-bench.ts';

const bench = shareChannelBench(async (opened) => {
  await opened.open('SIM00001/0', { name: 'sender' });
  await opened.open('SIM00001/1', { name: 'peer' });
}, null);

const newest = async (): Promise<number> => (await bench.events('peer')).at(-1)?.event_id ?? 0;

/** Frames that the peer has received after an event. */
const arrived = async (after: number): Promise<string[]> =>
  (await bench.events('peer', after)).map(({ id, data }) => `${id.toString(16)}#${data}`);

const write = (name: string, text: string): string => {
  writeFileSync(join(bench.project, name), text);
  return `--file=${name}`;
};

describe('a list of frames', () => {
  it('is sent from a file in its order', async () => {
    const after = await newest();
    const file = write('list.log', '# start\n100#01\n\n(1.5) can0 101#0203 R\n(1.6) can0 102#\n');
    const result = await bench.json('message', 'send', '--channel=sender', file, '--cycle=1ms');
    expect(result).toMatchObject({ accepted: 3, channel: 'sender' });
    await eventually(async () => (await arrived(after)).length === 3);
    expect(await arrived(after)).toEqual(['100#01', '101#0203', '102#']);
  });

  it('is refused whole where one frame of it cannot be', async () => {
    const after = await newest();
    const file = write('bad.log', `${'100#01\n'.repeat(200)}100#0\n`);
    const refused = await bench.failure('message', 'send', 'sender', file);
    expect(refused).toMatchObject({ exit: 2, code: 'invalid_argument' });
    expect(refused.message).toMatch(/^Line 201 of .*bad\.log: /);
    expect(refused.details).toMatchObject({ field: 'file', line: 201, channel: 'sender' });
    expect(await arrived(after)).toEqual([]);
  });

  it('is sent from standard input line by line, as the lines come', async () => {
    const after = await newest();
    const child = spawn(process.execPath, [busbar, 'message', 'send', 'sender', '--file=-'], {
      cwd: bench.project,
      env: bench.environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    for (const [index, frame] of ['200#01', '201#02', '202#03'].entries()) {
      child.stdin.write(`${frame}\n`);
      await eventually(async () => (await arrived(after)).length === index + 1);
    }
    child.stdin.end('203#04');
    expect(await ended).toBe(0);
    expect(stdout).toMatch(/^accepted 4 frames on sender \(slot \d\)\n$/);
    await eventually(async () => (await arrived(after)).length >= 4);
    expect(await arrived(after)).toEqual(['200#01', '201#02', '202#03', '203#04']);
  });

  it.each([
    ['a line that is no frame', '350#00\n351#01\n352 02\n353#03\n', 3, ['350#00', '351#01']],
    ['a frame that cannot be', '351#01\n\n352#02\nbad\n353#03\n', 4, ['351#01', '352#02']],
    ['nothing good before it', 'bad\n353#03\n', 1, []],
  ])('is sent from standard input up to %s, all in one piece', async (_, text, line, sent) => {
    const after = await newest();
    writeFileSync(join(bench.project, 'piped.log'), text);
    for (const shell of ['exec "$@" < piped.log', 'cat piped.log | "$@"']) {
      const args = ['message', 'send', 'sender', '--file=-', '--format=json'];
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', shell, 'sh', process.execPath, busbar, ...args],
        { cwd: bench.project, env: bench.environment, encoding: 'utf8' },
      );
      expect(status).toBe(2);
      expect(JSON.parse(stderr).error).toMatchObject({
        code: 'invalid_argument',
        details: { field: 'file', line, accepted: sent.length, channel: 'sender' },
      });
    }
    await eventually(async () => (await arrived(after)).length >= 2 * sent.length);
    expect(await arrived(after)).toEqual([...sent, ...sent]);
  });

  it('takes neither a frame nor a count beside it', async () => {
    const file = write('one.log', '100#01\n');
    for (const more of ['--count=2', '--id=1', '101#']) {
      const refused = await bench.failure('message', 'send', 'sender', file, more);
      expect(refused).toMatchObject({ exit: 2, code: 'invalid_argument' });
      expect(refused.details).toMatchObject({ field: 'file', reason: 'exclusive' });
    }
  });

  it('is nothing that HTTP knows', async () => {
    for (const field of ['frames', 'file']) {
      const answer = await bench.send({ channel: 'sender', [field]: '100#01' });
      expect(answer.status).toBe(400);
      expect(answer.json().error.details).toMatchObject({ field, reason: 'unknown_field' });
    }
  });
});
