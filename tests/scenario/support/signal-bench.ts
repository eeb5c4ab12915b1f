import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Sample } from '../../../src/signal/live/sample-record.ts';
import { ask, type HttpAnswer } from '../../support/http.ts';
import { takeSeat } from '../../support/seat.ts';
import { SseClient } from '../../support/sse.ts';
import { eventually } from '../../support/workbench.ts';
import { api, ChannelBench } from './channel-bench.ts';

/** A sample of a signal, as returned by every face. */
export interface SampleRecord extends Sample {
  readonly plan_id: string;
}

export interface SampleHistory {
  readonly samples: SampleRecord[];
  readonly next_after: number;
  readonly oldest_available: number;
  readonly newest_available: number;
}

export interface PlanRecord {
  readonly plan_id: string;
  readonly signals: string[];
  readonly frames: number;
  readonly channel_open: boolean;
  readonly [field: string]: unknown;
}

export const sequencesOf = (samples: readonly SampleRecord[]): number[] =>
  samples.map(({ sequence }) => sequence);

const accepted = (answer: HttpAnswer, status: number) => {
  expect(answer.status, answer.text).toBe(status);
  return answer.json();
};

/** The highest bit rates, so that much traffic takes little time. */
const fast = { bitrate: 1_000_000, data_bitrate: 8_000_000 };

/** A bench with databases and plans. */
export class SignalBench extends ChannelBench {
  /** Writes a file to the project; its folder is created if missing. */
  write(name: string, content: string | Uint8Array): void {
    const path = join(this.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  load(json: unknown): Promise<HttpAnswer> {
    return this.post(`${api}/databases`, json);
  }

  /** Writes a database and loads it, which must succeed. */
  async use(name: string, text: string | Uint8Array) {
    this.write(`${name}.dbc`, text);
    return accepted(await this.load({ file: `${name}.dbc` }), 201);
  }

  /** Opens both ports of the first segment: `engine`, and its peer that acknowledges. */
  async openSegment(): Promise<void> {
    await this.open('SIM00001/0', { ...fast, name: 'engine' });
    await this.open('SIM00001/1', { ...fast, name: 'peer' });
  }

  create(request: object): Promise<HttpAnswer> {
    return this.post(`${api}/signals/plans`, request);
  }

  /** Creates a plan, by default on `engine`. */
  async plan(request: object): Promise<PlanRecord> {
    return accepted(await this.create({ channel: 'engine', ...request }), 201);
  }

  /** Plans for messages of a database that is loaded for them, on an open segment. */
  async follow(database: string, ...messages: string[]): Promise<string[]> {
    await this.openSegment();
    await this.use('vehicle', database);
    const plans: string[] = [];
    for (const message of messages) {
      plans.push((await this.plan({ database: 'vehicle', message })).plan_id);
    }
    return plans;
  }

  deletePlan(planId: string): Promise<HttpAnswer> {
    const path = `${api}/signals/plans/${encodeURIComponent(planId)}`;
    return ask({ port: this.port, method: 'DELETE', path });
  }

  async plans(): Promise<PlanRecord[]> {
    return accepted(await this.get(`${api}/signals`), 200).plans;
  }

  /** Waits until a plan has decoded this many frames. */
  async decoded(planId: string, frames: number): Promise<void> {
    await eventually(
      async () => (await this.plans()).find((plan) => plan.plan_id === planId)?.frames === frames,
    );
  }

  /** Sends frames from `engine`; they must be accepted. */
  async transmit(frame: object): Promise<void> {
    accepted(await this.send({ channel: 'engine', ...frame }), 200);
  }

  latestAnswer(plan: string, signal: string): Promise<HttpAnswer> {
    return this.get(`${api}/signals/latest?${new URLSearchParams({ plan, signal })}`);
  }

  async latest(plan: string, signal: string): Promise<SampleRecord> {
    return accepted(await this.latestAnswer(plan, signal), 200);
  }

  pageAnswer(plan: string, signal: string, more: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.get(`${api}/signals/history?${new URLSearchParams({ plan, signal, ...more })}`);
  }

  async page(plan: string, signal: string, more?: Record<string, string>): Promise<SampleHistory> {
    return accepted(await this.pageAnswer(plan, signal, more), 200);
  }

  stream(query: string, headers: Record<string, string> = {}): Promise<SseClient> {
    return SseClient.open({ port: this.port, path: `${api}/signals/stream?${query}`, headers });
  }
}

/** A bench for the running test. Its daemon has served other tests. */
export const setUpSignalBench = async (): Promise<SignalBench> => {
  const bench = new SignalBench(takeSeat());
  onTestFinished(() => bench.dispose());
  return bench.start();
};

/** A bench for all tests of a file. Its daemon has served other files. */
export const shareSignalBench = (prepare?: (bench: SignalBench) => Promise<void>): SignalBench => {
  const bench = new SignalBench(takeSeat());
  beforeAll(async () => {
    await bench.start();
    await prepare?.(bench);
  });
  afterAll(() => bench.dispose());
  return bench;
};
