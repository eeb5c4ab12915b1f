import type { Clock } from '../base/clock/clock.ts';
import type { BusbarError } from '../base/errors/busbar-error.ts';
import type { Home } from '../link/home.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import type { CliCommand, CliTable } from '../operations/render/cli-table.ts';
import type { Description } from '../operations/render/describe.ts';
import type { Output } from './output.ts';
import type { Palette } from './render/palette.ts';

/** The outside world of a command: files, streams, clock. */
export interface CliContext {
  readonly table: CliTable;
  /** Descriptions of all commands; loaded only for help. */
  readonly descriptions: () => Promise<readonly Description[]>;
  readonly home: Home;
  readonly clock: Clock;
  readonly distribution: string;
  readonly format: OutputFormat;
  readonly palette: Palette;
  readonly workingDirectory: string | null;
  readonly project: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly write: (text: string) => void;
}

/**
 * Result of a command: a value to print, optionally with its text and a warning, or an exit
 * code if everything is printed.
 */
export type Outcome =
  | {
      readonly result: unknown;
      readonly text?: string;
      readonly failure?: BusbarError | undefined;
    }
  | { readonly exitCode: number };

export type DaemonCommand = (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
) => Promise<Outcome>;
