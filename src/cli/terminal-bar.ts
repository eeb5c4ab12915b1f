import type { Clock } from '../base/clock/clock.ts';
import type { CliContext } from './context.ts';
import type { Output } from './output.ts';

interface ProgressBarOptions {
  readonly output: Output;
  readonly clock: Clock;
  readonly columns: () => number;
}

const intervalUs = 50_000;

const widestBar = 40;

const narrowestBar = 5;

const wipe = '\r\u001b[K';

export const progressLine = (done: number, total: number, columns: number): string => {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const percent = `${String(Math.floor(share * 100)).padStart(3)}%`;
  const counts = `${String(done).padStart(String(total).length)}/${total}`;
  const figures = `${percent}  ${counts}`;
  const room = columns - 1;
  const bar = Math.min(widestBar, room - figures.length - '[]  '.length);
  if (bar >= narrowestBar) {
    const filled = Math.floor(share * bar);
    return `[${'='.repeat(filled)}${' '.repeat(bar - filled)}]  ${figures}`;
  }
  if (figures.length <= room) return figures;
  return percent.length <= room ? percent : '';
};

/** Shows progress in the last terminal line, which is cleared afterwards. */
export class ProgressBar {
  readonly #options: ProgressBarOptions;
  #nextUs = 0;
  #isShown = false;

  constructor(options: ProgressBarOptions) {
    this.#options = options;
  }

  show(done: number, total: number): void {
    const { output, clock, columns } = this.#options;
    const nowUs = clock.monotonicUs();
    if (this.#isShown && nowUs < this.#nextUs) return;
    this.#nextUs = nowUs + intervalUs;
    this.#isShown = true;
    output.write(wipe + progressLine(done, total, columns()));
  }

  clear(): void {
    if (this.#isShown) this.#options.output.write(wipe);
    this.#isShown = false;
  }
}

const defaultColumns = 80;

export const terminalBar = ({
  stderr,
  env,
  clock,
  format,
}: CliContext): ProgressBar | undefined => {
  if (format !== 'text' || !stderr.isTerminal || env.TERM === 'dumb') return undefined;
  const columns = (): number => process.stderr.columns ?? defaultColumns;
  return new ProgressBar({ output: stderr, clock, columns });
};
