import type { Clock } from '../base/clock/clock.ts';
import type { BusbarError } from '../base/errors/busbar-error.ts';
import type { Home } from '../link/home.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import type { CliTable } from '../operations/render/cli-table.ts';
import type { Description } from '../operations/render/describe.ts';
import type { Output } from './output.ts';
import type { Palette } from './render/palette.ts';

/** What a command works with: everything it touches of the outside world is in here. */
export interface CliContext {
  readonly table: CliTable;
  /** The contracts of all commands; costly to read, so only help asks for them. */
  readonly descriptions: () => Promise<readonly Description[]>;
  readonly home: Home;
  readonly clock: Clock;
  /** Directory of the built files. */
  readonly distribution: string;
  readonly format: OutputFormat;
  readonly palette: Palette;
  /** Where the caller stands; null where that directory was removed. */
  readonly workingDirectory: string | null;
  /** Absolute directory of the Bench that the call uses; null leaves it to the daemon. */
  readonly project: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly write: (text: string) => void;
}

/**
 * What a command ends with: a result to print, with what people are told of it where that is not
 * the usual table, and what was wrong all the same; or an exit code when it printed all itself.
 */
export type Outcome =
  | {
      readonly result: unknown;
      readonly text?: string;
      readonly failure?: BusbarError | undefined;
    }
  | { readonly exitCode: number };
