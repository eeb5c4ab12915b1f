import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import { unsupportedByHardware } from '../../drivers/refusals.ts';
import type { CanFrame } from '../../frame/frame.ts';
import type { LastError } from '../../transmit/record-fields.ts';
import { checkInService } from '../../transmit/selected-channel.ts';
import { sendFailure } from '../../transmit/send-failures.ts';
import type { CyclicFrame, CyclicRun, CyclicTasks } from '../../transmit/tasks/cyclic-tasks.ts';
import type { InstanceRegistry } from '../instances/instance-registry.ts';
import type { OutputOwners } from '../instances/output-owners.ts';
import type { ManifestMessage } from '../simulation/manifest.ts';
import { payloadOf, type Simulation } from '../simulation/simulation.ts';

interface SimulationRunsOptions {
  readonly registry: InstanceRegistry;
  readonly channels: Pick<ChannelTable, 'use'>;
  readonly cyclic: CyclicTasks;
  readonly owners: OutputOwners;
  /** Those of the bench thread. */
  readonly turns: Pick<LoopTurns, 'next'>;
}

/** Messages that begin in one turn of the bench thread, which has deadlines to keep. */
const messagesPerTurn = 16;

const frameOf = (message: ManifestMessage): CanFrame => {
  const data = payloadOf(message);
  const { id, extended } = message;
  const classic = { remote: false, fd: false, brs: false, esi: false, error: false } as const;
  return { bus: 'can', id, extended, ...classic, dlc: data.length, data };
};

const cyclicFrame = (message: ManifestMessage): CyclicFrame => ({
  frame: frameOf(message),
  plan: { periodUs: message.period_ms * 1000, count: 0, pattern: 'fixed' },
  seed: 0,
});

/** Starts and stops the simulations of manifests. */
export class SimulationRuns {
  readonly #options: SimulationRunsOptions;
  /** Starts that wait for their channel to be found. */
  readonly #starts = new Map<Simulation, Promise<void>>();
  /** How to stop listening for the end of the channel, by simulation. */
  readonly #stopListening = new Map<Simulation, () => void>();

  constructor(options: SimulationRunsOptions) {
    this.#options = options;
  }

  /** Sends all messages from now on, or none: whatever is refused, the simulation is as it was. */
  async start(name: string, bench: BenchSource): Promise<Simulation> {
    const simulation = this.#options.registry.simulation(name);
    simulation.beginStart();
    const start = this.#start(simulation, bench);
    this.#starts.set(simulation, start);
    await start.finally(() => this.#starts.delete(simulation));
    return simulation;
  }

  /** Sends nothing more, also if it was just being started; without effect if nothing was being sent. */
  async stop(name: string): Promise<Simulation> {
    const simulation = this.#options.registry.simulation(name);
    await this.#starts.get(simulation)?.catch(() => undefined);
    if (simulation.isRunning) this.#end(simulation, null);
    return simulation;
  }

  unload(name: string): Simulation {
    const { registry } = this.#options;
    registry.simulation(name).checkIdle();
    return registry.unloadSimulation(name);
  }

  async #start(simulation: Simulation, bench: BenchSource): Promise<void> {
    const { channel } = simulation.manifest;
    try {
      await this.#run(simulation, await this.#options.channels.use(channel, bench));
    } catch (thrown) {
      simulation.refuseStart();
      throw sendFailure(thrown, channel);
    }
  }

  async #run(simulation: Simulation, found: FoundChannel): Promise<void> {
    const { owners } = this.#options;
    const { channel } = found;
    const { messages } = simulation.manifest;
    checkInService(found);
    if (channel.hardware.bus === 'lin') {
      throw unsupportedByHardware('channel', 'A manifest has CAN messages, and this is a LIN port');
    }
    const { selector } = channel;
    owners.claim(
      simulation.name,
      messages.map(({ id, extended }, index) => ({
        task: `messages[${index}]`,
        channel: selector,
        canId: id,
        extended,
      })),
    );
    // As transmit tasks do, it ends with its channel: another one in its place may be another bus.
    const stopListening = channel.onInterrupted((why) => {
      if (why !== 'closed' || !simulation.isRunning) return;
      this.#end(simulation, { code: 'channel_not_open', message: `${found.text} was closed` });
    });
    this.#stopListening.set(simulation, stopListening);
    try {
      await this.#begin(simulation, found);
    } catch (thrown) {
      this.#release(simulation);
      throw thrown;
    }
  }

  /** Begins to send messages, some in each turn, unless the channel is closed meanwhile. */
  async #begin(simulation: Simulation, found: FoundChannel): Promise<void> {
    const { cyclic, turns } = this.#options;
    const { messages } = simulation.manifest;
    const runs: CyclicRun[] = [];
    const stop = (): void => {
      for (const run of runs) run.stop();
    };
    for (let first = 0; first < messages.length; first += messagesPerTurn) {
      if (first > 0) await turns.next();
      try {
        checkInService(found);
      } catch (thrown) {
        stop();
        throw thrown;
      }
      const frames = messages.slice(first, first + messagesPerTurn).map(cyclicFrame);
      runs.push(cyclic.start(found.channel, frames));
    }
    const tasks = runs.flatMap((run) => run.tasks);
    simulation.started({ tasks, stop }, found.channel.selector);
  }

  #end(simulation: Simulation, error: LastError | null): void {
    simulation.ended(error);
    this.#release(simulation);
  }

  /** It needs neither its channel nor its outputs any longer. */
  #release(simulation: Simulation): void {
    this.#stopListening.get(simulation)?.();
    this.#stopListening.delete(simulation);
    this.#options.owners.release(simulation.name);
  }
}
