import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { guideBlocks } from './guide-blocks.ts';
import { GuideShell } from './guide-shell.ts';
import { PlanNames, patternOf, steadyTextOf } from './guide-texts.ts';
import { busbar, repository, type Workbench } from './workbench.ts';

/** Names that differ from the guide in this run. */
export interface GuidePlace {
  /** A command of the guide, adapted to this run. */
  readonly here: (command: string) => string;
  /** Output of this run with the names of the guide. */
  readonly there: (reported: string) => string;
  /** Preparation of the run. */
  readonly before?: string;
}

/** Commands that change nothing, which are repeated if their output is late. */
const look =
  /^(?:sleep [\d.]+; )?busbar (?:message recv|gateway signals|modbus read|\S+ (?:list|latest|show|stats|status)) [^;&|]*$/;
const looksAgain = 20;

/**
 * Runs all commands of a guide in one shell on a bench, and reports differences from the shown
 * output.
 */
export const differencesOf = async (
  guide: string,
  text: string,
  bench: Workbench,
  place: GuidePlace,
): Promise<string> => {
  const there = (reported: string): string =>
    place
      .there(reported)
      .replaceAll(repository, '/opt/busbar')
      .replaceAll(bench.project, 'PROJECT')
      .replaceAll(bench.home, 'HOME')
      .replaceAll(new RegExp(`${join(bench.project, '..')}/[\\w-]+`, 'g'), 'PROJECT');
  const scripts = join(bench.project, '..', 'steps');
  mkdirSync(scripts);
  const shell = new GuideShell(scripts, bench.project, {
    ...bench.environment,
    PATH: `${dirname(busbar)}${delimiter}${process.env.PATH}`,
    // Completion scripts are written to a temporary home.
    HOME: join(bench.project, '..'),
    RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
    COLUMNS: '120',
    NO_COLOR: '1',
  });
  onTestFinished(() => shell.close());
  if (place.before !== undefined) await shell.run(place.before);
  const plans = new PlanNames();
  const steady = steadyTextOf(guide);
  const wrong: string[] = [];
  for (const { line, command, output, needs, isEndless } of guideBlocks(text).steps) {
    if (needs !== undefined && (await shell.run(`${needs} --version`)).failed !== null) {
      console.log(`Skipped: ${guide}:${line} needs ${needs}`);
      continue;
    }
    const report = (said: string): string => steady(there(plans.there(said, output ?? '')));
    const isShown = (said: string): boolean => patternOf(steady(output ?? '')).test(report(said));
    const hasSaid = (said: string): boolean =>
      output === null ? said !== '' && !/^busbar: /m.test(said) : isShown(said);
    const typed = place.here(plans.here(command));
    let outcome = isEndless
      ? await shell.runUntilInterrupted(typed, hasSaid)
      : await shell.run(typed);
    if (output !== null && look.test(`${command} `)) {
      for (let again = 0; again < looksAgain && !isShown(outcome.output); again++) {
        outcome = await shell.run(typed);
      }
    }
    const reported = report(outcome.output);
    const at = `${guide}:${line}: ${command}`;
    if (output === null && outcome.failed !== null) {
      wrong.push(`${at}\nfailed at ${outcome.failed}\n${reported}`);
    } else if (output !== null && !isShown(outcome.output)) {
      wrong.push(`${at}\n--- shown\n${steady(output)}--- told\n${reported}`);
    }
  }
  return wrong.join('\n');
};
