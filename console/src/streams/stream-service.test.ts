import { describe, expect, it } from 'vitest';
import { settled } from '../api/testing/settled.ts';
import { openReport } from './stream-client.ts';
import { browserOfEachTest } from './testing/browser-of-tests.ts';

const browser = browserOfEachTest();

const aTab = (path: string) => {
  const stopped = browser.open();
  const reported: string[] = [];
  const read = async (): Promise<void> => {
    const pieces = await openReport({ token: null, path }, stopped.signal);
    for await (const { text } of pieces ?? []) reported.push(text);
  };
  void read().catch(() => {});
  return { told: reported, leave: () => stopped.abort() };
};

const state = (...operations: readonly string[]): string =>
  `/api/v1/state/stream?${operations.map((each) => `include=${each}`).join('&')}`;

describe('tabs that show different parts of the bench', () => {
  it('share one connection, which asks for all of them, and for no more than that', async () => {
    const channels = aTab(state('channel.list', 'channel.stats'));
    await browser.service.connection(1);
    const tasks = aTab(state('channel.list', 'tx-task.list'));
    const both = await browser.service.connection(2);
    expect(both.path).toBe(state('channel.list', 'channel.stats', 'tx-task.list'));
    expect(browser.service.opened[0]?.aborted.aborted).toBe(true);
    both.send('event: tx-task.list\ndata: {}\n\n');
    await settled(() => channels.told.length === 1 && tasks.told.length === 1);
    channels.leave();
    expect((await browser.service.connection(3)).path).toBe(state('channel.list', 'tx-task.list'));
  });

  it('have connections of their own to streams of other kinds', async () => {
    aTab('/api/v1/modbus/stream?also=unit%3D1');
    aTab(state('channel.list'));
    await browser.service.connection(2);
    expect(browser.service.opened.map(({ aborted }) => aborted.aborted)).toEqual([false, false]);
  });

  it('share one connection for all that they look at of Modbus', async () => {
    const tabs = [aTab('/api/v1/modbus/stream?also=unit%3D1')];
    await browser.service.connection(1);
    tabs.push(aTab('/api/v1/modbus/stream?also=unit%3D2'), aTab('/api/v1/modbus/stream'));
    const all = '/api/v1/modbus/stream?also=unit%3D1&also=unit%3D2';
    await settled(() => browser.service.opened.at(-1)?.path === all);
    const open = browser.service.opened.filter(({ aborted }) => !aborted.aborted);
    expect(open).toHaveLength(1);
    for (const { leave } of tabs) leave();
    await settled(() => browser.service.opened.every(({ aborted }) => aborted.aborted));
  });
});
