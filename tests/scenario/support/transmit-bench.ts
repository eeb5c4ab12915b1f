import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { ask, type HttpAnswer } from '../../support/http.ts';
import { type Seat, takeSeat } from '../../support/seat.ts';
import { eventually } from '../../support/workbench.ts';
import { api, ChannelBench, type EventView } from './channel-bench.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
export type Answered = any;

/** Response of a call that must succeed. */
export const accepted = (answer: HttpAnswer, status: number): Answered => {
  expect(answer.status, answer.text).toBe(status);
  return answer.json();
};

/** Intervals between events. */
export const stepsOf = (events: readonly EventView[]): number[] =>
  events.slice(1).map((event, index) => timeOf(event) - timeOf(events[index]));

export const timeOf = (event: EventView | undefined): number => Number(event?.timestamp_us);

/** A bench for automatic senders: tasks, routes, logging, replay and forwarding. */
export class TransmitBench extends ChannelBench {
  path(name: string): string {
    return join(this.project, name);
  }

  /** Writes a file to the project; its folder is created if missing. */
  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  delete(resource: string): Promise<HttpAnswer> {
    return ask({ port: this.port, method: 'DELETE', path: `${api}/${resource}` });
  }

  /** A resource that is created or started. */
  async create(resource: string, request: object): Promise<Answered> {
    return accepted(await this.post(`${api}/${resource}`, request), 201);
  }

  async status(resource: string): Promise<Answered> {
    return accepted(await this.get(`${api}/${resource}`), 200);
  }

  async end(resource: string): Promise<Answered> {
    return accepted(await this.delete(resource), 200);
  }

  /** Polls a resource until it returns the expected response. */
  async until(
    resource: string,
    isDone: (answered: Answered) => boolean,
    answered: Answered = {},
  ): Promise<Answered> {
    let last = answered;
    await eventually(async () => {
      last = await this.status(resource);
      return isDone(last);
    });
    return last;
  }

  /** The newest event of all channels. */
  async newest(): Promise<number> {
    return (await this.status('messages/history?limit=1')).newest_available ?? 0;
  }

  /**
   * Received frames of a channel after an event, once there are `count`; more fail the test.
   */
  async received(selector: string, count: number, after = 0): Promise<EventView[]> {
    let frames: EventView[] = [];
    await eventually(async () => {
      frames = await this.receivedSoFar(selector, after);
      return frames.length >= count;
    });
    expect(frames).toHaveLength(count);
    return frames;
  }

  async receivedSoFar(selector: string, after = 0): Promise<EventView[]> {
    return (await this.events(selector, after)).filter(({ kind }) => kind === 'rx_frame');
  }

  /** Waits until everything accepted on a channel has been sent. */
  async drained(selector: string): Promise<void> {
    await eventually(async () => (await this.stats(selector)).tx_pending === 0);
  }

  /** Stops all activities and closes every channel. */
  async closeAll(): Promise<void> {
    for (const resource of ['logging', 'replay', 'remote-api']) await this.end(resource);
    const { channels } = await this.status('channels');
    for (const { selector } of channels) accepted(await this.remove(selector), 200);
  }

  empty(): void {
    for (const name of readdirSync(this.project)) {
      rmSync(this.path(name), { recursive: true });
    }
  }

  async consumerKinds(selector: string): Promise<string[]> {
    const { consumers } = (await this.stats(selector)).broker;
    return consumers.map(({ kind }: { kind: string }) => kind);
  }
}

/** A bench that is removed when the running test ends. */
export const setUpTransmitBench = async (...ports: number[]): Promise<TransmitBench> => {
  const bench = new TransmitBench();
  onTestFinished(() => bench.dispose());
  await bench.start();
  for (const port of ports) await bench.open(`SIM00001/${port}`);
  return bench;
};

/**
 * A bench for the running test. Its daemon has served other tests: slots and event ids continue.
 */
export const borrowTransmitBench = async (...ports: number[]): Promise<TransmitBench> => {
  const bench = new TransmitBench(takeSeat());
  onTestFinished(() => bench.dispose());
  await bench.start();
  for (const port of ports) await bench.open(`SIM00001/${port}`);
  return bench;
};

/**
 * A bench for all tests of a file that leave it unchanged. Its daemon has served other files,
 * unless it has no seat.
 */
export const shareTransmitBench = (
  prepare?: (bench: TransmitBench) => Promise<void>,
  seat: Seat | null = takeSeat(),
): TransmitBench => {
  const bench = new TransmitBench(seat);
  beforeAll(async () => {
    await bench.start();
    await prepare?.(bench);
  });
  afterAll(() => bench.dispose());
  return bench;
};

/**
 * A bench for all tests of a file, without channels and files at the start of each test: call it
 * in each with the ports that it needs. Its daemon has served other files. Its numbers continue
 * from test to test: slots, tasks, routes, events.
 */
export const reuseTransmitBench = (): typeof setUpTransmitBench => {
  const bench = new TransmitBench(takeSeat());
  beforeAll(() => bench.start());
  afterAll(() => bench.dispose());
  return async (...ports) => {
    onTestFinished(async () => {
      await bench.closeAll();
      bench.empty();
    });
    for (const port of ports) await bench.open(`SIM00001/${port}`);
    return bench;
  };
};
