import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import { CommandLineReader } from '../../src/cli/command-line.ts';
import { CommandTable } from '../../src/cli/command-table.ts';
import { guideBlocks } from '../support/guide-blocks.ts';
import { guideCommands } from '../support/guide-commands.ts';
import { differencesOf, type GuidePlace } from '../support/guide-run.ts';
import { stageLinAdapters, stageSlcanAdapter } from '../support/guide-stages.ts';
import { repository, setUpWorkbench } from '../support/workbench.ts';

/** Some guides have many commands, which take minutes on a busy machine. */
const endlessMs = 600_000;

/** Guides whose commands are not run here, with the reason. */
const reasons = {
  installation:
    'installs as root: debian-package and npm-package run its blocks in roots of their own',
  socketcan: 'needs CAN interfaces of the kernel: tests/socketcan/guides.test.ts has them',
};
const unchecked = new Set(Object.keys(reasons).map((name) => `docs/guides/${name}.md`));

const guides = [
  'README.md',
  ...readdirSync(join(repository, 'docs', 'guides')).map((name) => `docs/guides/${name}`),
];

const checked = guides.filter((guide) => !unchecked.has(guide));

/** Guides whose commands `npm test` runs, each with a daemon of its own; a long run has the others. */
const first = new Set(['README.md', 'docs/guides/quick-start.md']);
const run = checked.filter((guide) => isLong !== first.has(guide));

/** Simulated devices on the serial ports of the adapter guides. */
const stages: Readonly<Record<string, () => Promise<GuidePlace>>> = {
  'docs/guides/slcan.md': stageSlcanAdapter,
  'docs/guides/lin-adapters.md': stageLinAdapters,
};
const unchanged: GuidePlace = { here: (text) => text, there: (text) => text };

const textOf = (guide: string): string => readFileSync(join(repository, guide), 'utf8');

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

const localAddress = /(127\.0\.0\.1:|--(?:modbus-)?port=|\s-p )(\d+)/g;

/** A free port for each port that a guide names; guides run in parallel. */
const portsFor = async (text: string): Promise<Map<string, number>> => {
  const ports = new Map([['8080', await freePort()]]);
  for (const [, , named = ''] of text.matchAll(localAddress)) {
    if (named !== '0' && !ports.has(named)) ports.set(named, await freePort());
  }
  return ports;
};

/** Simulated adapters respond in time only on an idle machine: they may need another run. */
const runsOf = (guide: string): number => (guide in stages ? 5 : 1);

const differencesIn = async (guide: string): Promise<string> => {
  const bench = setUpWorkbench();
  const stage = (await stages[guide]?.()) ?? unchanged;
  const ports = await portsFor(textOf(guide));
  const here = (text: string): string =>
    text
      .replaceAll('/usr/share/busbar', repository)
      .replaceAll(/(busbar web start)(?!.*--listen)/g, '$1 --listen=127.0.0.1:8080')
      .replaceAll(localAddress, (_, before, port) => `${before}${ports.get(port) ?? port}`)
      .replaceAll(/"port": (\d+)/g, (_, port) => `"port": ${ports.get(port) ?? port}`);
  const back = new Map([...ports].map(([shown, taken]) => [String(taken), shown]));
  const there = (text: string): string =>
    text.replaceAll(localAddress, (_, before, port) => `${before}${back.get(port) ?? port}`);
  return differencesOf(guide, textOf(guide), bench, {
    here: (text) => stage.here(here(text)),
    there: (text) => stage.there(there(text)),
  });
};

describe('a guide', () => {
  it.each(run)('%s shows what happens', { timeout: endlessMs }, async (guide) => {
    let wrong = await differencesIn(guide);
    for (let run = 1; wrong !== '' && run < runsOf(guide); run++)
      wrong = await differencesIn(guide);
    expect(wrong, wrong).toBe('');
  });
});

describe('every command of a guide', () => {
  const packed = readFileSync(join(repository, 'dist', 'cli-table.jsonl'), 'utf8');
  const reader = new CommandLineReader(new CommandTable(packed), '/home/ana/bench');

  /** Shown with a deliberate mistake. */
  const isMistaken = (words: readonly string[]): boolean => words.join(' ') === 'web strat';

  it.each(guides)('is understood by the command line: %s', (guide) => {
    const wrong = guideCommands(textOf(guide)).flatMap(({ line, words }) => {
      try {
        reader.read(words);
        return [];
      } catch (thrown) {
        return isMistaken(words) ? [] : [`${guide}:${line}: ${words.join(' ')}: ${String(thrown)}`];
      }
    });
    expect(wrong).toEqual([]);
  });
});

/**
 * Commands that cannot be run in tests, with the reason. New ones need an equally good reason.
 */
describe('blocks that are not run', () => {
  it('are few, and say why', () => {
    const marked = checked.flatMap((guide) =>
      guideBlocks(textOf(guide)).marked.map(({ line, reason }) => `${guide}:${line}: ${reason}`),
    );
    expect(marked.length, marked.join('\n')).toBeLessThanOrEqual(26);
  });
});
