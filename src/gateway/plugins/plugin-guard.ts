import { existsSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { openBoard } from './board-file.ts';
import type { PluginCall } from './call-board.ts';
import { PluginStarts } from './plugin-starts.ts';
import { PluginWatchdog } from './plugin-watchdog.ts';

export interface PluginGuardOptions {
  readonly clock: Clock;
  readonly projectRoot: string;
  /** The program that probes libraries. */
  readonly program: string;
  /** Where the thread that calls plugins writes down which one it is in. */
  readonly callsFile: string;
  /** Where the libraries of starts are. */
  readonly librariesFolder: string;
  /** A plugin does not return: the thread that is inside it answers nothing but this error meanwhile. */
  readonly onHung: (call: PluginCall, error: BusbarError) => void;
  /** It does not return for so long that starts are refused too. */
  readonly onStuck: (error: BusbarError) => void;
  readonly onReturned: (call: PluginCall) => void;
}

const unresponsive = ({ instance, plugin }: PluginCall): BusbarError =>
  new BusbarError('instance_unresponsive', {
    message: `The plugin ${plugin} of ${instance} does not return`,
    details: { instance, plugin },
  });

/** Whether an error says that a plugin does not return. */
export const isUnresponsive = (thrown: unknown): boolean =>
  BusbarError.from(thrown).code === 'instance_unresponsive';

/** The plugins of all instances, seen from another thread than theirs: it opens, tries and watches them. */
export class PluginGuard {
  readonly starts: PluginStarts;
  readonly #watchdog: PluginWatchdog;
  readonly #callsFile: string;

  constructor(options: PluginGuardOptions) {
    const { clock, callsFile, onHung, onStuck, onReturned } = options;
    this.#callsFile = callsFile;
    this.starts = new PluginStarts(options);
    this.#watchdog = new PluginWatchdog({
      clock,
      board: async () => openBoard((await import('koffi')).default, callsFile),
      onHung: (call) => onHung(call, unresponsive(call)),
      onStuck: (call) => onStuck(unresponsive(call)),
      onReturned,
    });
  }

  /** The plugin that does not return; null if all of them do. */
  get hung(): PluginCall | null {
    return this.#watchdog.hung;
  }

  /** Whether the plugin that did not return has done so since; `hung` names it a little longer. */
  get hasReturned(): boolean {
    return this.#watchdog.hasReturned;
  }

  /** There are plugins from now on. */
  watch(): Promise<void> {
    return this.#watchdog.start();
  }

  /** Watches again what another thread in the place of this one has watched. */
  async resume(): Promise<void> {
    if (existsSync(this.#callsFile)) await this.watch();
  }

  close(): void {
    this.starts.end();
    this.#watchdog.stop();
  }
}
