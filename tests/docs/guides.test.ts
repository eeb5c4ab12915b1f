import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandLineReader } from '../../src/cli/command-line.ts';
import { CommandTable } from '../../src/cli/command-table.ts';
import { guideBlocks } from '../support/guide-blocks.ts';
import { guideCommands } from '../support/guide-commands.ts';
import { GuideShell } from '../support/guide-shell.ts';
import { busbar, repository, setUpWorkbench } from '../support/workbench.ts';

/** Guides whose commands are not run here, and why. */
const reasons = {
  installation:
    'installs as root: debian-package, npm-package and https-profile do what it says elsewhere',
  'lin-adapters': 'needs a serial port with a LIN transceiver',
  slcan: 'needs an adapter on a serial port',
  socketcan: 'needs CAN interfaces of the kernel and the right to set them up',
  'demo-vehicle': 'the vehicle is elsewhere each time: demo.test.ts drives it',
  'gateway-projects': 'its projects are shown in parts; not mended yet',
  plugins: 'builds plugins with a compiler and SDK of its own place; not mended yet',
};
const unchecked = new Set(Object.keys(reasons).map((name) => `docs/guides/${name}.md`));

const guides = [
  'README.md',
  ...readdirSync(join(repository, 'docs', 'guides')).map((name) => `docs/guides/${name}`),
];

const checked = guides.filter((guide) => !unchecked.has(guide));

const textOf = (guide: string): string => readFileSync(join(repository, guide), 'utf8');

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

const localAddress = /127\.0\.0\.1:(\d+)/g;

/** A free port for each that a guide names on this machine; other guides run beside it. */
const portsFor = async (text: string): Promise<Map<string, number>> => {
  const ports = new Map([['8080', await freePort()]]);
  for (const [, named = ''] of text.matchAll(localAddress)) {
    if (named !== '0' && !ports.has(named)) ports.set(named, await freePort());
  }
  return ports;
};

/** What is another whenever a command is run, and how wide columns are because of it. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\/home\/ana\/[\w-]+/g, 'PROJECT'],
  [/\/run\/user\/1000\/busbar/g, 'HOME'],
  [/\(\d{9,}\.\d{6}\)/g, '(TIME)'],
  [/\(\d{3}\.\d{6}\)/g, '(DELTA)'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE'],
  [/\w{3} \w{3} +\d{1,2} [\d:.]+ [ap]m \d{4}/g, 'DATE'],
  [/^ +\d+\.\d{6} /gm, 'SECONDS '],
  [/\b17\d{14}\b/g, 'TIME_US'],
  [/( us {2,})\d{5,}$/gm, '$1US'],
  [/( {2,}\d{5,}){2}$/gm, '  US  US'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID'],
  [/^(pid +)\d+$/gm, '$1PID'],
  [/^((?:[rt]x rate fps|bus load percent) +)[\d.]+$/gm, '$1RATE'],
  [/("datagrams_received": )\d+/g, '$1COUNT'],
  [/ +$/gm, ''],
  [/(\S) {2,}/g, '$1  '],
];

const steady = (text: string): string =>
  changing.reduce((changed, [what, instead]) => changed.replaceAll(what, instead), text);

/** What is shown, as a pattern: `…` stands for lines where it is alone, and for text within one. */
const patternOf = (shown: string): RegExp => {
  const lines = shown.split('\n').map((line) =>
    line.trim() === '…'
      ? '(?:.*\n)*?'
      : `${line
          .split('…')
          .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}\n`,
  );
  return new RegExp(`^${lines.join('').trimEnd()}\\s*$`);
};

const planId = /plan-[0-9a-f]{8}/g;

/** The plans of a guide, which have other names whenever they are made. */
class PlanNames {
  readonly #here = new Map<string, string>();
  #unnamed: string[] = [];

  /** A command with the plans that there are here; one that was made without being shown is the last. */
  here(command: string): string {
    return command.replaceAll(planId, (shown) => {
      const made = this.#here.get(shown) ?? this.#unnamed.pop() ?? shown;
      this.#here.set(shown, made);
      return made;
    });
  }

  /** What was told, with the plans as the guide names them. */
  there(told: string, shown: string): string {
    const named = new Set(this.#here.values());
    const fresh = [...new Set(told.match(planId))].filter((id) => !named.has(id));
    for (const id of new Set(shown.match(planId))) {
      const made = this.#here.has(id) ? undefined : fresh.shift();
      if (made !== undefined) this.#here.set(id, made);
    }
    this.#unnamed = [...this.#unnamed, ...fresh];
    const back = new Map([...this.#here].map(([id, made]) => [made, id]));
    return told.replaceAll(planId, (made) => back.get(made) ?? made);
  }
}

describe('a guide', () => {
  it.each(checked)('%s shows what happens', async (guide) => {
    const bench = setUpWorkbench();
    const ports = await portsFor(textOf(guide));
    const here = (text: string): string =>
      text
        .replaceAll(/(busbar web start)(?!.*--listen)/g, '$1 --listen=127.0.0.1:8080')
        .replaceAll(localAddress, (_, port) => `127.0.0.1:${ports.get(port) ?? port}`)
        .replaceAll(/"port": (\d+)/g, (_, port) => `"port": ${ports.get(port) ?? port}`);
    const back = new Map([...ports].map(([shown, taken]) => [String(taken), shown]));
    const there = (text: string): string =>
      text
        .replaceAll(localAddress, (_, port) => `127.0.0.1:${back.get(port) ?? port}`)
        .replaceAll(repository, '/opt/busbar')
        .replaceAll(bench.project, 'PROJECT')
        .replaceAll(bench.home, 'HOME')
        .replaceAll(new RegExp(`${join(bench.project, '..')}/[\\w-]+`, 'g'), 'PROJECT');
    const scripts = join(bench.project, '..', 'steps');
    mkdirSync(scripts);
    const shell = new GuideShell(scripts, bench.project, {
      ...bench.environment,
      PATH: `${dirname(busbar)}${delimiter}${process.env.PATH}`,
      // Completions and the like are written into a home of their own.
      HOME: join(bench.project, '..'),
      COLUMNS: '120',
      NO_COLOR: '1',
    });
    onTestFinished(() => shell.close());
    const plans = new PlanNames();
    const wrong: string[] = [];
    for (const { line, command, output } of guideBlocks(textOf(guide)).steps) {
      const outcome = await shell.run(here(plans.here(command)));
      const told = steady(there(plans.there(outcome.output, output ?? '')));
      const place = `${guide}:${line}: ${command}`;
      if (output === null && outcome.failed !== null) {
        wrong.push(`${place}\nfailed at ${outcome.failed}\n${told}`);
      } else if (output !== null && !patternOf(steady(output)).test(told)) {
        wrong.push(`${place}\n--- shown\n${steady(output)}--- told\n${told}`);
      }
    }
    expect(wrong.join('\n'), wrong.join('\n')).toBe('');
  });
});

describe('every command of a guide', () => {
  const packed = readFileSync(join(repository, 'dist', 'cli-table.jsonl'), 'utf8');
  const reader = new CommandLineReader(new CommandTable(packed), '/home/ana/bench');

  /** Shown with a mistake in it. */
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

/** What cannot be run where tests are, and why. More of them need a reason as good as these. */
describe('blocks that are not run', () => {
  it('are few, and say why', () => {
    const marked = checked.flatMap((guide) =>
      guideBlocks(textOf(guide)).marked.map(({ line, reason }) => `${guide}:${line}: ${reason}`),
    );
    expect(marked.length, marked.join('\n')).toBeLessThanOrEqual(24);
  });
});
