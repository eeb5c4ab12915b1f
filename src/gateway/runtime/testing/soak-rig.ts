import { YieldQueue } from '../../../base/clock/yield-queue.ts';
import type { Channel } from '../../../bench/channel.ts';
import { sampleBench } from '../../../bench/testing/table-rig.ts';
import { frm2Id } from '../../../frame/frm2-codec.ts';
import { RequestHandler } from '../../../modbus/server/request-handler.ts';
import { ServerCounters } from '../../../modbus/server/server-counters.ts';
import { SessionPool } from '../../../modbus/session/session-pool.ts';
import { randomNumbers } from '../../../modbus/session/testing/faulty-units.ts';
import { TransmitRig } from '../../../transmit/testing/transmit-rig.ts';
import { buildImage } from '../../image/build-image.ts';
import { ImageReader } from '../../image/image-reader.ts';
import type { ProjectImage } from '../../image/project-image.ts';
import { changeOfSet } from '../../image/set-signal.ts';
import { instanceStatus } from '../../instances/instance-pages.ts';
import { InstanceRegistry } from '../../instances/instance-registry.ts';
import { InstanceView } from '../../instances/instance-view.ts';
import { OutputOwners } from '../../instances/output-owners.ts';
import { readLoose } from '../../project/testing/read-text.ts';
import { InstanceController } from '../instance-controller.ts';
import type { SharedModbus } from '../instance-links.ts';
import { noPlugins } from './no-plugins.ts';
import { polledEveryMs, soakProject } from './soak-project.ts';
import { TalliedPolls } from './tallied-polls.ts';
import { TalliedUnits } from './tallied-units.ts';

const name = 'soak';
const keepAliveMs = 5000;
const image = () => buildImage(readLoose(soakProject()).toProject());

/**
 * An instance with endpoints of all kinds under a fake clock, and peers with their own counters.
 */
export class SoakRig {
  readonly #turns = new YieldQueue();
  readonly #images: WeakRef<ProjectImage>[] = [];
  readonly random: () => number;
  readonly bench = new TransmitRig();
  readonly clock = this.bench.clock;
  readonly registry = new InstanceRegistry();
  readonly units = new TalliedUnits(this.clock, polledEveryMs.keys());
  readonly pool: SessionPool;
  readonly polls: TalliedPolls;
  readonly runs: InstanceController;
  /** Frames received by another node, by identifier. */
  readonly received = new Map<number, number>();
  /** Channel listeners not yet removed. */
  listeners = 0;
  /** Serves clients while the panel is connected. */
  panel: RequestHandler | undefined;
  /** Start time of the instance, while it runs. */
  startedUs: number | undefined;
  port: Channel | undefined;
  peer: Channel | undefined;

  constructor(seed: number) {
    this.random = randomNumbers(seed);
    const { bench, clock, registry, units } = this;
    const { scheduler, table: channels } = bench;
    const place = (port: number) => ({ tcp: { host: '10.0.0.1', port } });
    bench.bench = {
      ...sampleBench,
      networks: { ...sampleBench.networks, line: place(502), panel: place(1502) },
    };
    this.pool = new SessionPool({
      ...{ clock, scheduler, keepAliveMs, transportTo: () => units.transport },
      resolve: async (endpoint) => {
        if (endpoint.kind !== 'tcp') throw new Error('All of them are TCP');
        const key = `tcp:${endpoint.host}:${endpoint.port}`;
        return { kind: 'tcp', address: endpoint.host, port: endpoint.port, key, text: key };
      },
    });
    this.polls = new TalliedPolls(clock, scheduler, this.pool);
    this.runs = new InstanceController({
      ...{ registry, channels, clock, scheduler, owners: new OutputOwners() },
      modbus: { links: this.polls, servers: this.#servers() },
      // Collections in the event loop take long, and nothing else runs meanwhile.
      turns: { next: async () => undefined },
      plugins: noPlugins,
    });
  }

  advanceMs(ms: number): void {
    this.clock.advanceUs(Math.round(ms * 1000));
  }

  async openPort(): Promise<void> {
    this.port ??= this.#counted(await this.bench.open(0));
  }

  async openPeer(): Promise<void> {
    if (this.peer) return;
    this.peer = await this.bench.open(1);
    this.peer.onFrame((record, at) => {
      const id = frm2Id(record, at);
      this.received.set(id, (this.received.get(id) ?? 0) + 1);
    });
  }

  async close(which: 'port' | 'peer'): Promise<void> {
    const channel = this[which];
    // A frame whose reception has begun counts as acknowledged on the virtual bus.
    for (let waits = 0; waits < 5 && (this.port?.hardware.pending ?? 0) > 0; waits++)
      this.advanceMs(1);
    this[which] = undefined;
    if (channel) await this.bench.close(channel);
    // Otherwise this list would be the only thing that grows.
    this.bench.audience.log.length = 0;
  }

  load(): void {
    const built = image();
    this.#images.push(new WeakRef(built));
    this.registry.commit(this.registry.reserve(name), 'soak.gwproj', built);
    this.units.forget();
    this.received.clear();
  }

  unload(): void {
    this.runs.unload(name);
  }

  async start(): Promise<void> {
    await this.runs.start(name, this.bench.benchSource);
    this.startedUs = this.clock.monotonicUs();
  }

  async stop(): Promise<void> {
    this.startedUs = undefined;
    let isStopped = false;
    const stopped = this.runs.stop(name).finally(() => {
      isStopped = true;
    });
    for (;;) {
      await this.#turns.next();
      if (isStopped) break;
      this.advanceMs(5);
    }
    await stopped;
  }

  status() {
    return instanceStatus(this.registry.get(name), 100);
  }

  /** A signal as clients see it. */
  signal(id: string) {
    const view = new InstanceView(this.registry.get(name));
    return [...view.signals(0, view.signalCount).entries()].find((entry) => entry.id === id);
  }

  set(id: string, text: string): void {
    const instance = this.registry.get(name);
    const change = changeOfSet(new ImageReader(instance.image), id, text, this.clock.unixUs());
    this.runs.set(name, instance.serial, change);
  }

  /** A client writes the setpoint. Returns whether the write was confirmed. */
  writeSetpoint(value: number): boolean {
    return this.#ask(6, 0, 10, value >> 8, value & 0xff)[0] === 6;
  }

  /** Input registers as read by a client. */
  served(address: number, count: number): number[] {
    const answer = Buffer.from(this.#ask(4, 0, address, 0, count));
    return Array.from({ length: count }, (_, index) => answer.readUInt16BE(2 + 2 * index));
  }

  /** Another node sends the speed. */
  sendSpeed(value: number): void {
    const data = Uint8Array.of(value & 0xff, value >> 8);
    this.peer?.outbox.open({}).send(0x100, 0, 2, data, 0, 2);
  }

  /** Instances whose memory still exists after a garbage collection. */
  get livingInstances(): number {
    return this.#images.filter((built) => built.deref() !== undefined).length;
  }

  /** Resources that an unloaded instance must have released. */
  leftovers() {
    const { polls, listeners, panel, pool } = this;
    return {
      leases: polls.leases,
      polls: polls.running.size,
      listeners,
      servers: panel ? 1 : 0,
      users: pool.sessions().reduce((sum, { users }) => sum + users, 0),
    };
  }

  /** The response to a client of the panel. */
  #ask(...request: number[]): Uint8Array {
    const answer = new Uint8Array(260);
    this.panel?.handle(Uint8Array.from(request), 0, request.length, answer, 0);
    return answer;
  }

  /** A server as in the service, without its socket. */
  #servers(): SharedModbus['servers'] {
    return {
      serveFor: async (_owner, place, { model, hooks }) => {
        if (this.panel) throw new Error('It already has a server');
        const onDefect = (thrown: unknown) => void this.bench.defects.push(thrown);
        const counters = new ServerCounters();
        this.panel = new RequestHandler({ model, counters, onDefect, ...(hooks && { hooks }) });
        return {
          address: place.named.endpoint,
          stop: async () => {
            this.panel = undefined;
          },
        };
      },
    };
  }

  /** The channel, with a count of its listeners. */
  #counted(channel: Channel): Channel {
    const counting =
      <Listener>(add: (listener: Listener) => () => void) =>
      (listener: Listener): (() => void) => {
        const end = add.call(channel, listener);
        this.listeners += 1;
        let isOn = true;
        return () => {
          if (isOn) this.listeners -= 1;
          isOn = false;
          end();
        };
      };
    channel.onFrame = counting(channel.onFrame);
    channel.onInterrupted = counting(channel.onInterrupted);
    return channel;
  }
}
