import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ready = JSON.stringify(join(import.meta.dirname, 'ready.mjs'));

/** What a process does that runs these commands beside each other, and then goes on. */
const runBeside = (...commands: readonly string[][]) => {
  const script = `import { runBeside } from ${ready};
    await runBeside(${JSON.stringify(commands)});
    console.log('went on');`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n').sort() };
};
const node = (script: string): string[] => [process.execPath, '-e', script];

describe('commands beside each other', () => {
  it('are all printed, and what comes behind them goes on', () => {
    expect(runBeside(node('console.log("a")'), node('console.error("b")'))).toEqual({
      status: 0,
      lines: ['a', 'b', 'went on'],
    });
  });

  it('end the process with the code of one that failed, once the others are done', () => {
    const waiting = node('process.stdin.on("end", () => console.log("done")).resume()');
    expect(runBeside(waiting, node('process.exit(3)'))).toEqual({ status: 3, lines: ['done'] });
  });

  it('fail with one that cannot be started', () => {
    const { status, lines } = runBeside(['no-such-program']);
    expect(status).toBe(1);
    expect(lines.join()).toContain('no-such-program');
  });
});
