import type { CliContext } from './context.ts';
import { ProgressBar } from './progress-bar.ts';

const defaultColumns = 80;

/** A progress bar for users at a terminal, and nothing for programs. */
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
