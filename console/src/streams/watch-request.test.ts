import { describe, expect, it } from 'vitest';
import { settled } from '../api/testing/settled.ts';
import { askStreams, openReport, openSamples, takeSlot } from './stream-client.ts';
import { browserOfEachTest } from './testing/browser-of-tests.ts';
import type { OpenedStream } from './testing/fake-sse-service.ts';

const browser = browserOfEachTest();

/** A tab that watches an instance and records its events. */
const aTab = (instance: string, token: string | null = null) => {
  const stopped = browser.open();
  const reported: string[] = [];
  let error: string | null = null;
  const read = async (): Promise<void> => {
    try {
      for await (const answer of askStreams({ type: 'watch', token, instance }, stopped.signal)) {
        reported.push(answer.type === 'watched' ? answer.event : answer.type);
      }
      reported.push('closed');
    } catch (thrown) {
      error = (thrown as { code: string }).code;
    }
  };
  void read();
  return { told: reported, leave: () => stopped.abort(), error: () => error };
};

const status = (instance: string): string =>
  `event: status\ndata: ${JSON.stringify({ instance })}\n\n`;

describe('tabs that follow gateway instances', () => {
  it('share a connection to the same one, with the same token', async () => {
    const tabs = [aTab('a'), aTab('a')];
    const stream = await browser.service.connection(1);
    stream.send(status('a'));
    await settled(() => tabs.every(({ told: reported }) => reported.length === 2));
    expect(tabs.map(({ told: reported }) => reported)).toEqual([
      ['open', 'status'],
      ['open', 'status'],
    ]);
    expect(browser.service.opened).toHaveLength(1);
    tabs[0]?.leave();
    stream.send(status('a'));
    await settled(() => tabs[1]?.told.length === 3);
    expect(stream.aborted.aborted).toBe(false);
    tabs[1]?.leave();
    await settled(() => stream.aborted.aborted);
  });

  it('share it for all instances', async () => {
    const tabs = ['a', 'b', 'c', 'd'].map((name) => aTab(name));
    const { opened } = browser.service;
    // Each late tab makes the connection reopen.
    const isForAll = ({ path }: OpenedStream) => path.split(/also=/).length === tabs.length;
    await settled(() => opened.some(isForAll));
    for (const name of ['a', 'b', 'c', 'd']) opened.find(isForAll)?.send(status(name));
    await settled(() => tabs.every(({ told: reported }) => reported.includes('status')));
    expect(opened.filter(({ aborted }) => !aborted.aborted)).toHaveLength(1);
  });

  it('leave connections for requests that take long', async () => {
    aTab('a');
    aTab('b');
    await browser.service.connection(1);
    const releases = [await takeSlot(), await takeSlot(), await takeSlot()];
    await expect(takeSlot()).rejects.toMatchObject({ code: 'too_many_long_requests' });
    for (const release of releases) release();
  });

  it('leave one for such a request however many streams there are', async () => {
    const { signal } = browser.open();
    const open = (path: string) => openReport({ token: null, path }, signal);
    aTab('a');
    for (const path of ['/api/v1/state/stream', '/m1', '/m2']) await open(path);
    await browser.service.connection(4);
    const tooMany = { code: 'too_many_streams', isFinal: false };
    await expect(open('/m3')).rejects.toMatchObject(tooMany);
    const samples = openSamples({ token: null, followed: new Map() }, null, signal);
    await expect(samples).rejects.toMatchObject(tooMany);
    // Following an instance again opens no further connection.
    await open('/api/v1/state/stream');
    const release = await takeSlot();
    await expect(takeSlot()).rejects.toMatchObject({ code: 'too_many_long_requests' });
    release();
  });

  it('are told when the service closes the stream', async () => {
    const tab = aTab('a');
    (await browser.service.connection(1)).end();
    await settled(() => tab.told.includes('closed'));
  });
});
