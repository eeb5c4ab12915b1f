import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { eventually } from '../support/workbench.ts';
import { startInnerDaemon } from './support/inner-daemon.ts';

interface Health {
  readonly status: string;
  readonly daemon: {
    readonly threads: { name: string; state: string; restarts: number; last_failure: string }[];
  };
}

const threadIn = (health: Health, name: string) =>
  health.daemon.threads.find((thread) => thread.name === name);

describe('a thread of the daemon that dies', () => {
  it('is restarted and reported, if it serves the clients, with the Web service as it was', async () => {
    const { call, kill } = await startInnerDaemon();
    const before = await call<{ listen: string; stream_epoch: number }>('web.start', {
      listen: '127.0.0.1:0',
      history_capacity: 100,
      log_level: 'off',
    });
    await kill('client');
    const health = await call<Health>('health');
    expect(threadIn(health, 'client')).toMatchObject({ restarts: 1, state: 'running' });
    expect(threadIn(health, 'client')?.last_failure).toContain('exited');
    const after = await call<{ listen: string; stream_epoch: number }>('web.status');
    expect(after).toMatchObject({ state: 'running', listen: before.listen, history_capacity: 100 });
    expect(after.stream_epoch).not.toBe(before.stream_epoch);
    const port = Number(before.listen.split(':')[1]);
    expect((await ask({ port, path: '/api/v1/info' })).status).toBe(200);
  });

  itLong('is restarted without a Web service where none ran', async () => {
    const { call, kill } = await startInnerDaemon();
    await call('web.start', { listen: '127.0.0.1:0', log_level: 'off' });
    await call('web.stop');
    await kill('client');
    expect(await call('web.status')).toMatchObject({ state: 'stopped' });
  });

  it('knows the ECUs of the bench and the pairs that it found before', async () => {
    const { call, kill, project } = await startInnerDaemon();
    const engine = { channel: 'SIM00001/1', request_id: '700', response_id: '708' };
    const dids = { F190: { name: 'vin' } };
    const bench = { ecus: { engine: { ...engine, dids } } };
    writeFileSync(join(project, 'busbar.bench.json'), JSON.stringify(bench));
    for (const port of [0, 1]) await call('channel.open', { channel: `SIM00001/${port}` });
    const words = async (): Promise<(string | null)[]> => {
      const { pdus } = await call<{ pdus: { words: string | null; selector: string }[] }>(
        'pdu.history',
        { channel: ['SIM00001/1'], after: 0 },
      );
      return pdus.map((pdu) => pdu.words);
    };
    const send = async (...frames: string[]): Promise<void> => {
      for (const frame of frames) {
        const [id, data] = frame.split('#');
        await call('message.send', { channel: 'SIM00001/0', id, data });
      }
    };
    const knowsEngine = async (): Promise<boolean> => {
      await send('700#0322F190');
      return (await words()).includes('ReadDataByIdentifier F190 (vin)');
    };
    await eventually(knowsEngine);
    // The pair 123 and 456 is known by its flow control only.
    await send('123#1008220102030405', '456#300000', '123#210607');
    const found = 'ReadDataByIdentifier 0102, 0304, 0506';
    await eventually(async () => (await words()).includes(found));
    await kill('client');
    await eventually(knowsEngine);
    await send('456#037F2231');
    await eventually(async () => (await words()).some((text) => text?.startsWith('Negative')));
  });

  it('is restarted and reported, if it loads files', async () => {
    const { call, kill, log } = await startInnerDaemon();
    await kill('loader');
    await eventually(async () => {
      const health = await call<Health>('health');
      return threadIn(health, 'loader')?.restarts === 1 && health.status === 'ok';
    });
    expect(log.filter(({ event }) => event === 'thread_died')).toEqual([
      expect.objectContaining({ thread: 'loader', failure: 'exited with code 1' }),
    ]);
  });
});
