import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { LooseProject } from '../../../src/gateway/project/testing/coolant-project.ts';
import type { HttpAnswer } from '../../support/http.ts';
import { askJson } from '../../support/http.ts';
import { takeSeat } from '../../support/seat.ts';
import { writeBench } from './bench-files.ts';
import { api } from './channel-bench.ts';
import { type Answered, accepted, TransmitBench } from './transmit-bench.ts';

/** A bench with two CAN segments, a LIN port and an unconnected network. */
const networks = {
  in: 'SIM00001/0',
  out: 'SIM00001/2',
  door: 'SIM00001/4',
  spare: null,
};

/** The ports at the other ends of the segments. */
export const peers = { in: 'SIM00001/1', out: 'SIM00001/3' } as const;

/** A network of the bench at a port of this machine. */
export const tcpNetwork = (port: number, host = '127.0.0.1') => ({ tcp: { host, port } });

const outcomes = ['accepted', 'sent', 'failed', 'pending', 'unconfirmed'] as const;
const counters = [...outcomes, 'coalesced', 'late', 'missed'] as const;

/** Inconsistencies of a status page with all tasks. */
export const wrongSums = (record: Answered): string[] => {
  const { instance, tasks } = record;
  const wrong = [record, ...tasks]
    .filter(({ accepted, sent, failed, pending }) => accepted !== sent + failed + pending)
    .map(({ id = instance, ...counts }) => `${id}: ${outcomes.map((name) => counts[name])}`);
  for (const name of counters) {
    const sum = tasks.reduce((total: number, task: Answered) => total + task[name], 0);
    if (record[name] !== sum) wrong.push(`${name}: ${record[name]} are ${sum}`);
  }
  return wrong;
};

/** A bench on which instances of projects run. */
export class GatewayBench extends TransmitBench {
  /** Adds networks to the bench file, effective from the next load or start. */
  useNetworks(more: Readonly<Record<string, object>> = {}): void {
    writeBench(this.project, { networks: { ...networks, ...more } });
  }

  /** Opens both segments, each with a peer that acknowledges. */
  async openAll(): Promise<void> {
    this.useNetworks();
    for (const port of [0, 1, 2, 3, 4]) await this.open(`SIM00001/${port}`);
  }

  async load(instance: string, project: LooseProject): Promise<Answered> {
    const file = `${instance}.gwproj`;
    this.write(file, JSON.stringify(project));
    return accepted(await this.post(`${api}/gateways`, { file, instance }), 201);
  }

  tryStart(instance: string): Promise<HttpAnswer> {
    return this.post(`${api}/gateways/${instance}/start`, {});
  }

  async startInstance(instance: string): Promise<Answered> {
    return accepted(await this.tryStart(instance), 200);
  }

  async stopInstance(instance: string): Promise<Answered> {
    return accepted(await this.post(`${api}/gateways/${instance}/stop`, {}), 200);
  }

  async unload(instance: string): Promise<Answered> {
    return this.end(`gateways/${instance}`);
  }

  /** Loads and starts a project. */
  async runProject(instance: string, project: LooseProject): Promise<Answered> {
    await this.load(instance, project);
    return this.startInstance(instance);
  }

  /** Stops and unloads instances. */
  async clear(...instances: string[]): Promise<void> {
    for (const instance of instances) {
      await this.stopInstance(instance);
      await this.unload(instance);
    }
  }

  instance(name: string): Promise<Answered> {
    return this.status(`gateways?instance=${name}`);
  }

  untilInstance(name: string, isDone: (record: Answered) => boolean): Promise<Answered> {
    return this.until(`gateways?instance=${name}`, isDone);
  }

  /** Waits until a status page matches; the sums of all pages until then must be correct. */
  untilConsistent(name: string, isDone: (record: Answered) => boolean): Promise<Answered> {
    return this.untilInstance(name, (record) => {
      expect(wrongSums(record)).toEqual([]);
      return isDone(record);
    });
  }

  async signal(instance: string, id: string): Promise<Answered> {
    const { signals } = await this.status(`gateways/${instance}/signals`);
    return signals.find((signal: Answered) => signal.id === id);
  }

  set(instance: string, signal: string, value: string): Promise<HttpAnswer> {
    const path = `${api}/gateways/${instance}/signals`;
    return askJson({ port: this.port, method: 'PUT', path, json: { signal, value } });
  }

  /** Sends a frame to an instance from the other end of its segment. */
  async feed(hex: string, id = 0x100): Promise<void> {
    const data = hex.replaceAll(' ', '');
    accepted(await this.send({ channel: peers.in, id, data }), 200);
  }

  /** Data of the frames sent on the other segment. */
  async receivedData(count: number, after: number): Promise<string[]> {
    return (await this.received(peers.out, count, after)).map(({ data }) => data);
  }
}

/** A bench for all tests of a file that leave it unchanged. Its daemon has served other files. */
export const shareGatewayBench = (): GatewayBench => {
  const bench = new GatewayBench(takeSeat());
  beforeAll(async () => {
    await bench.start();
    await bench.openAll();
  });
  // Leftovers of a failed test must not affect the next one.
  afterEach(async () => {
    const { gateways } = await bench.status('gateways');
    await bench.clear(...gateways.map(({ instance }: Answered) => instance));
  });
  afterAll(() => bench.dispose());
  return bench;
};
