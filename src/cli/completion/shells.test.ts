import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../operations/registry.ts';
import { type CliTable, renderCliTable } from '../../operations/render/cli-table.ts';
import { renderCompletion } from './render-completion.ts';
import { awkwardSummary, awkwardTable } from './testing/awkward-table.ts';
import { bashDriver } from './testing/bash-driver.ts';
import { fishDriver } from './testing/fish-driver.ts';
import { type Candidate, isInstalled, reportMissingShell } from './testing/real-shell.ts';
import { awkwardScenarios, optionsOf, realScenarios } from './testing/scenarios.ts';
import { zshDriver } from './testing/zsh-driver.ts';

const realTable = renderCliTable(operations);

const suites = [
  ['the commands there are', realTable, realScenarios(realTable)],
  ['an awkward table', awkwardTable, awkwardScenarios],
] as const;

describe.each([bashDriver, zshDriver, fishDriver])('$shell', (driver) => {
  const { shell } = driver;
  if (!isInstalled(shell)) {
    reportMissingShell(shell);
    return;
  }

  const root = mkdtempSync(join(tmpdir(), 'busbar-completion-place-'));
  const place = {
    workingDirectory: join(root, 'here'),
    home: join(root, 'home'),
    programs: join(root, 'bin'),
  };
  beforeAll(() => {
    for (const path of ['here/data/inner', 'here/my dir', 'home/benches/door', 'bin']) {
      mkdirSync(join(root, path), { recursive: true });
    }
    for (const path of ['here/my.log', 'here/data/a b.log']) writeFileSync(join(root, path), '');
    writeFileSync(join(root, 'bin/busbar'), '#!/bin/sh\n: >ran-busbar\n', { mode: 0o755 });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const ask = (table: CliTable, lines: readonly string[]): readonly Candidate[] =>
    driver.offers(renderCompletion(shell, table), lines, place);

  describe.each(suites)('with %s', (_name, table, scenarios) => {
    let offers: readonly Candidate[] = [];
    beforeAll(() => {
      const lines = scenarios.map(([, line]) => line);
      offers = ask(table, lines);
    });

    it.each(scenarios.map((scenario, index) => [...scenario, index] as const))(
      'offers %s',
      (_behaviour, _line, words, index) => {
        expect(offers[index]?.words).toEqual([...words].sort());
      },
    );

    it('runs neither busbar nor what stands in a choice', () => {
      expect(offers).toHaveLength(scenarios.length);
      expect(readdirSync(place.workingDirectory).sort()).toEqual(['data', 'my dir', 'my.log']);
    });
  });

  it('offers every option of every command', () => {
    const routes = realTable.commands.map(({ words }) => words.join(' '));
    const lines = routes.map((route) => `busbar ${route} --`);
    const offered = ask(realTable, lines).map(({ words }, index) => [routes[index], words]);
    expect(offered).toEqual(
      routes.map((route) => [route, [...optionsOf(realTable, route)].sort()]),
    );
  });

  // Fish cannot complete inside a line, and does not expand a tilde.
  if (shell !== 'fish') {
    it('heeds options behind the cursor', () => {
      const [inWord, betweenWords] = ask(realTable, [
        'busbar daemon start --f‸ --format=csv --realtime',
        // Zsh inserts all candidates together; several with values would not be readable.
        'busbar demo ‸ --port 1 --format csv',
      ]);
      expect(inWord?.words).toEqual(['--foreground']);
      const rest = optionsOf(realTable, 'demo', '--port', '--format');
      expect(betweenWords?.words).toEqual([...rest].sort());
    });

    it('spells out a tilde that the shell would not expand', () => {
      const [offer] = ask(realTable, ['busbar --project=~/benches/']);
      expect(offer?.words).toEqual([join(place.home, 'benches', 'door')]);
    });
  }

  if (shell !== 'bash') {
    it('describes words and options', () => {
      const lineOf = (offer: Candidate | undefined, word: string): string =>
        offer?.listing.find((line) => line.startsWith(word)) ?? '';
      const [words, options] = ask(realTable, ['busbar web ', 'busbar web start --']);
      expect(lineOf(words, 'status')).toContain(
        'Show whether the Web service is running, and where',
      );
      expect(lineOf(options, '--listen')).toContain('Host and port to listen on');
      const [category, option] = ask(awkwardTable, ['busbar trace c', 'busbar say --choic']);
      expect(lineOf(category, 'convert')).toContain('all');
      expect(lineOf(option, '--choice')).toContain(awkwardSummary);
    });
  }
});
