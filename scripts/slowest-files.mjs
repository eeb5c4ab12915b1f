// Vitest reporter: prints the slowest test files with their share of the total time (imports,
// hooks and tests).
import { relative } from 'node:path';

const shownCount = 20;

const timeOf = (module) => {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + duration;
};

/** A line with the total, then one per file, slowest first. */
export const slowestFiles = (modules, folder) => {
  const timed = modules.map((module) => ({ file: module.moduleId, ms: timeOf(module) }));
  const total = timed.reduce((sum, { ms }) => sum + ms, 0);
  const shown = timed.sort((left, right) => right.ms - left.ms).slice(0, shownCount);
  return [
    `Slowest ${shown.length} of ${timed.length} test files, ${(total / 1000).toFixed(1)} s in all:`,
    ...shown.map(({ file, ms }) => {
      const seconds = (ms / 1000).toFixed(1).padStart(7);
      const percent = Math.round((100 * ms) / (total || 1));
      return `${seconds} s ${String(percent).padStart(3)} %  ${relative(folder, file)}`;
    }),
  ];
};

export default class SlowestFiles {
  #folder = '.';

  onInit({ config }) {
    this.#folder = config.root;
  }

  onTestRunEnd(modules) {
    for (const line of slowestFiles(modules, this.#folder)) console.log(line);
  }
}
