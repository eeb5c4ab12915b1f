import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settled } from '../api/testing/settled.ts';
import { openReport } from './stream-client.ts';
import { FakeSseService } from './testing/fake-sse-service.ts';

let service: FakeSseService;
const closing: (() => void)[] = [];

beforeEach(() => {
  service = new FakeSseService();
  service.shareWorker();
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  service.remove();
});

const aTab = (path: string) => {
  const stopped = new AbortController();
  const told: string[] = [];
  closing.push(() => stopped.abort());
  const read = async (): Promise<void> => {
    const pieces = await openReport({ token: null, path }, stopped.signal);
    for await (const { text } of pieces ?? []) told.push(text);
  };
  void read().catch(() => {});
  return { told, leave: () => stopped.abort() };
};

const state = (...operations: readonly string[]): string =>
  `/api/v1/state/stream?${operations.map((each) => `include=${each}`).join('&')}`;

describe('tabs that show different parts of the bench', () => {
  it('share one connection, which asks for all of them, and for no more than that', async () => {
    const channels = aTab(state('channel.list', 'channel.stats'));
    await service.connection(1);
    const tasks = aTab(state('channel.list', 'tx-task.list'));
    const both = await service.connection(2);
    expect(both.path).toBe(state('channel.list', 'channel.stats', 'tx-task.list'));
    expect(service.opened[0]?.aborted.aborted).toBe(true);
    both.send('event: tx-task.list\ndata: {}\n\n');
    await settled(() => channels.told.length === 1 && tasks.told.length === 1);
    channels.leave();
    expect((await service.connection(3)).path).toBe(state('channel.list', 'tx-task.list'));
  });

  it('have connections of their own to streams of other kinds', async () => {
    aTab('/api/v1/modbus/stream?unit=1');
    aTab('/api/v1/modbus/stream?unit=2');
    await service.connection(2);
    expect(service.opened.map(({ aborted }) => aborted.aborted)).toEqual([false, false]);
  });
});
