import type { Clock } from '../../base/clock/clock.ts';
import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { isWithdrawn, newVerdict, takeEffect, type Verdict } from '../../base/threads/verdict.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import { unsupportedByHardware } from '../../drivers/refusals.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { sendFailure } from '../../transmit/send-failures.ts';
import { ImageReader } from '../image/image-reader.ts';
import type { SignalChange } from '../image/image-state.ts';
import {
  endpointTable,
  faultStateTable,
  pluginTable,
  taskStateTable,
} from '../image/image-tables.ts';
import { checkIdle, type Instance, type InstanceRegistry } from '../instances/instance-registry.ts';
import type { OutputOwners } from '../instances/output-owners.ts';
import type { PluginHost } from '../plugins/plugin-host.ts';
import type { InstanceKind } from '../project/instance-name.ts';
import { inSlices } from './in-slices.ts';
import type { SharedModbus } from './instance-links.ts';
import { InstanceRuntime } from './instance-runtime.ts';
import { claimedOutputs, type TaskOutput } from './outputs.ts';
import { type FoundEndpoint, forEndpoint, resolveModbus } from './resolve-modbus.ts';
export interface InstanceControllerOptions {
  readonly registry: InstanceRegistry;
  readonly channels: Pick<ChannelTable, 'use' | 'useNetwork' | 'onOpened'>;
  readonly owners: OutputOwners;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly modbus: SharedModbus;
  readonly turns: Pick<YieldQueue, 'next'>;
  readonly plugins: Pick<PluginHost, 'load'>;
}

const abandoned = ({ name }: Instance): BusbarError =>
  new BusbarError('operation_cancelled', {
    message: `The caller cancelled the start of ${name}`,
    details: { instance: name },
  });

const checkWanted = (instance: Instance, verdict: Verdict): void => {
  if (isWithdrawn(verdict)) throw abandoned(instance);
};

/**
 * Converts a rejected start for a manifest, whose caller specified a channel instead of endpoints.
 */
const manifestFailure = (thrown: unknown, channel: string): BusbarError => {
  const error = sendFailure(thrown, channel);
  const { field, ...details } = error.details;
  return field === 'network' ? error.with({ details: { ...details, field: 'channel' } }) : error;
};

const channelOf = ({ image }: Instance): string => new ImageReader(image).endpoint(0).network;

/** Lateness and rejections of a manifest cover the last start only. Counters continue. */
const forgetLastRun = ({ image }: Instance): void => {
  const { maxLatenessUs, refusal } = taskStateTable.open(image.state.tasks);
  maxLatenessUs.fill(0);
  refusal.fill(0);
};

const channelClosed = (text: string): BusbarError =>
  new BusbarError('channel_not_open', { message: `${text} was closed` });

export class InstanceController {
  readonly #options: InstanceControllerOptions;
  readonly #runtimes = new Map<Instance, InstanceRuntime>();
  readonly #changes = new Map<Instance, Promise<void>>();

  constructor(options: InstanceControllerOptions) {
    this.#options = options;
    options.channels.onOpened((channel) => {
      for (const runtime of this.#runtimes.values()) runtime.opened(channel);
    });
  }

  /**
   * Starts an instance on a bench. If the start is rejected or abandoned, the instance is
   * unchanged.
   */
  async start(
    name: string,
    bench: BenchSource,
    verdict: Verdict = newVerdict(),
    kind?: InstanceKind,
  ): Promise<void> {
    const instance = this.#options.registry.instance(name, kind);
    checkIdle(instance);
    const { state, endedBy } = instance;
    instance.state = 'starting';
    const start = this.#start(instance, bench, verdict).then(
      () => {
        instance.state = 'running';
      },
      (thrown) => {
        Object.assign(instance, { state, endedBy });
        throw kind === 'manifest' ? manifestFailure(thrown, channelOf(instance)) : thrown;
      },
    );
    await this.#change(instance, start);
  }

  async stop(name: string, kind?: InstanceKind): Promise<void> {
    const instance = this.#options.registry.instance(name, kind);
    // Several callers may wait for the same start. The first stop counts.
    for (let change = this.#changes.get(instance); change; change = this.#changes.get(instance)) {
      await change.catch(() => undefined);
    }
    const runtime = this.#runtimes.get(instance);
    if (!runtime || instance.state !== 'running') return;
    instance.state = 'stopping';
    const end = kind === 'manifest' ? runtime.abort() : runtime.stop();
    // Nothing more is sent, even if a release failed.
    const stop = end.finally(async () => {
      await this.#inSlices(this.#options.owners.releasing(name));
      instance.state = 'stopped';
    });
    await this.#change(instance, stop);
  }

  unload(name: string, kind?: InstanceKind) {
    const { registry } = this.#options;
    const instance = registry.instance(name, kind);
    const unloaded = registry.unload(name, kind);
    this.#forget(instance);
    return unloaded;
  }

  /** Sets a software signal. Rejects another instance with the same name. */
  set(name: string, serial: number, change: SignalChange, verdict: Verdict = newVerdict()): void {
    const instance = this.#options.registry.sameInstance(name, serial);
    if (instance.state === 'stopping') checkIdle(instance);
    const runtime = this.#runtimes.get(instance);
    if (runtime?.isCompiled) runtime.set(change.signal, change.value, verdict);
    else if (takeEffect(verdict)) instance.writer.apply(change);
  }

  switchFault(name: string, serial: number, place: number, enabled: boolean): void {
    const instance = this.#options.registry.sameInstance(name, serial);
    const runtime = this.#runtimes.get(instance);
    if (runtime) runtime.switchFault(place, enabled);
    else faultStateTable.open(instance.image.state.faults).enabled[place] = enabled ? 1 : 0;
  }

  close(): void {
    for (const runtime of this.#runtimes.values()) runtime.abort().catch(() => undefined);
  }

  async #change(instance: Instance, change: Promise<void>): Promise<void> {
    this.#changes.set(instance, change);
    await change.finally(() => this.#changes.delete(instance));
  }

  async #start(instance: Instance, bench: BenchSource, verdict: Verdict): Promise<void> {
    const { owners, turns } = this.#options;
    checkWanted(instance, verdict);
    // One step per time slice, so that other deadlines are met.
    await turns.next();
    const endpoints = await this.#resolve(instance, bench);
    await turns.next();
    const runtime = await this.#runtimeOf(instance);
    await turns.next();
    await this.#compile(instance, runtime, verdict);
    await turns.next();
    this.#checkFd(instance, runtime.outputs, endpoints);
    const claimed = claimedOutputs(instance.image, runtime.outputs, endpoints);
    await this.#inSlices(owners.claiming(instance.name, claimed));
    try {
      await turns.next();
      // Before the last state is cleared: a rejected start changes nothing.
      await runtime.connect(endpoints);
      await turns.next();
      await this.#run(instance, runtime, verdict);
    } catch (thrown) {
      await this.#inSlices(owners.releasing(instance.name));
      throw thrown;
    }
    instance.body = runtime;
  }

  async #run(instance: Instance, runtime: InstanceRuntime, verdict: Verdict): Promise<void> {
    try {
      await runtime.reset();
      await this.#options.turns.next();
      if (!takeEffect(verdict)) throw abandoned(instance);
      instance.endedBy = null;
      if (instance.kind === 'manifest') forgetLastRun(instance);
      await runtime.start();
      if (instance.endedBy) throw channelClosed(channelOf(instance));
    } catch (thrown) {
      await runtime.abort();
      throw thrown;
    }
  }

  #inSlices(steps: Iterable<void>): Promise<void> {
    const { clock, turns } = this.#options;
    return inSlices(steps, clock, turns);
  }

  async #resolve({ image, kind }: Instance, source: BenchSource): Promise<FoundEndpoint[]> {
    const reader = new ImageReader(image);
    const rows = endpointTable.open(image.endpoints);
    // All endpoints use the same bench.
    let read: ReturnType<BenchSource> | undefined;
    const bench: BenchSource = () => {
      read ??= source();
      return read;
    };
    const found: FoundEndpoint[] = [];
    for (let index = 0; index < reader.endpointCount; index++) {
      const { id, network } = reader.endpoint(index);
      const role = reader.role(index);
      const named = { id, network };
      if (role === 'can') {
        found.push({ ...named, role, found: await this.#useChannel(named, bench, kind) });
        continue;
      }
      const node = rows.unit[index] ?? 0;
      const place = await resolveModbus({ ...named, node }, bench, this.#options.modbus.links);
      found.push({ ...named, role, place, timeoutMs: rows.timeoutMs[index] ?? 0 });
    }
    return found;
  }

  async #useChannel(
    endpoint: { readonly id: string; readonly network: string },
    bench: BenchSource,
    kind: InstanceKind,
  ): Promise<FoundChannel> {
    const { network } = endpoint;
    if (kind === 'manifest') {
      const found = await this.#options.channels.use(network, bench);
      if (found.channel.hardware.bus !== 'lin') return found;
      throw unsupportedByHardware(
        'channel',
        'A manifest contains CAN messages, but this is a LIN port',
      );
    }
    return forEndpoint(endpoint, async () => {
      const found = await this.#options.channels.useNetwork(network, bench);
      if (found.channel.hardware.bus !== 'lin') return found;
      throw unsupportedByHardware('network', `${network} is a LIN port, and no CAN network`);
    });
  }

  #checkFd(
    { image }: Instance,
    outputs: readonly TaskOutput[],
    endpoints: readonly FoundEndpoint[],
  ): void {
    for (const { task, endpoint, flags } of outputs) {
      const place = endpoints[endpoint];
      if ((flags & frameFlag.fd) === 0 || place?.role !== 'can') continue;
      const { channel, text } = place.found;
      if (channel.hardware.bus !== 'can') continue;
      const { id } = new ImageReader(image).task(task);
      throw unsupportedByHardware('fd', `${id} sends CAN FD frames, and ${text} is classic CAN`, {
        task: id,
      });
    }
  }

  /** Plugins are created by the first start and stay until unload. */
  async #compile(instance: Instance, runtime: InstanceRuntime, verdict: Verdict): Promise<void> {
    try {
      await runtime.compile();
      checkWanted(instance, verdict);
    } catch (thrown) {
      this.#forget(instance);
      throw thrown;
    }
  }

  /** A simulation stops when its channel closes, because a reopened channel may be another bus. */
  #closed(instance: Instance): void {
    const { code, message } = channelClosed(channelOf(instance));
    instance.endedBy = { code, message };
    this.stop(instance.name, instance.kind).catch(() => undefined);
  }

  #forget(instance: Instance): void {
    this.#runtimes.get(instance)?.dispose();
    this.#runtimes.delete(instance);
  }

  async #runtimeOf(instance: Instance): Promise<InstanceRuntime> {
    const known = this.#runtimes.get(instance);
    if (known) return known;
    const { clock, scheduler, modbus, turns } = this.#options;
    const { kind, name, image, writer } = instance;
    const onClosed = kind === 'manifest' ? () => this.#closed(instance) : undefined;
    const hasPlugins = pluginTable.open(image.plugins).count > 0;
    const plugins = hasPlugins ? await this.#options.plugins.load(instance) : undefined;
    const runtime = new InstanceRuntime({
      ...{ name, image, writer, clock, scheduler, modbus, turns, plugins, onClosed },
    });
    this.#runtimes.set(instance, runtime);
    return runtime;
  }
}
