import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import type { ThreadName } from '../../src/daemon/threads/supervisor.ts';
import { eventually } from '../support/workbench.ts';
import { startInnerDaemon } from './support/inner-daemon.ts';

interface Listed {
  readonly databases: { readonly name: string; readonly file: string }[];
}

const engine = `BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (1,0) [0|0] "" ECU
`;

const startDaemon = async () => {
  const { project, call, thread, kill: end } = await startInnerDaemon();
  /** Ends a thread and returns when its successor runs. */
  const kill = async (name: ThreadName): Promise<void> => {
    const victim = thread(name);
    await end(name);
    await eventually(() => thread(name) !== victim);
  };
  const names = async () => (await call<Listed>('database.list')).databases.map(({ name }) => name);
  return { project, call, kill, names };
};

describe('databases', () => {
  it('outlive the thread that parsed them, and so do plans', async () => {
    const { project, call, kill, names } = await startDaemon();
    writeFileSync(join(project, 'engine.dbc'), engine);
    await call('database.load', { file: 'engine.dbc' });
    await call('database.load', { file: 'engine.dbc', name: 'twin' });
    await call('database.load', { file: 'engine.dbc', name: 'gone' });
    await call('database.unload', { name: 'gone' });
    await call('web.start', { listen: '127.0.0.1:0', log_level: 'off' });
    await call('channel.open', { channel: 'SIM00001/0', name: 'engine', mode: 'loopback' });
    const request = { channel: 'engine', database: 'twin', message: 'Engine' };
    const { plan_id: plan } = await call<{ plan_id: string }>('signal.plan-create', request);

    await kill('loader');
    expect(await names()).toEqual(['engine', 'twin']);
    expect(await call('database.show', { name: 'engine' })).toMatchObject({
      file: 'engine.dbc',
      messages: 1,
    });
    expect(await call('signal.plan-create', request)).toMatchObject({ message: 'Engine' });
    await call('message.send', { channel: 'engine', id: 256, data: '2A00' });
    await eventually(async () => {
      const { plans } = await call<{ plans: { plan_id: string; frames: number }[] }>('signal.list');
      return plans.some(({ plan_id, frames }) => plan_id === plan && frames > 0);
    });
    expect(await call('signal.latest', { plan, signal: 'Speed' })).toMatchObject({ value: '42' });
  });

  itLong('outlive their parser many times, and can be loaded and unloaded between', async () => {
    const { project, call, kill, names } = await startDaemon();
    writeFileSync(join(project, 'engine.dbc'), engine);
    const expected: string[] = [];
    for (let round = 0; round < 3; round++) {
      const name = `round${round}`;
      await call('database.load', { file: 'engine.dbc', name });
      expected.push(name);
      await kill('loader');
      expect(await names()).toEqual(expected);
    }
    await call('database.unload', { name: 'round1' });
    await kill('loader');
    expect(await names()).toEqual(['round0', 'round2']);
  });

  it('are lost with their parser only where the file is gone meanwhile', async () => {
    const { project, call, kill, names } = await startDaemon();
    writeFileSync(join(project, 'engine.dbc'), engine);
    writeFileSync(join(project, 'brief.dbc'), engine);
    await call('database.load', { file: 'brief.dbc' });
    await call('database.load', { file: 'engine.dbc' });
    rmSync(join(project, 'brief.dbc'));
    await kill('loader');
    expect(await names()).toEqual(['engine']);
  });

  it('outlive the thread that serves the clients, and then the other one as well', async () => {
    const { project, call, kill, names } = await startDaemon();
    writeFileSync(join(project, 'engine.dbc'), engine);
    await call('database.load', { file: 'engine.dbc' });
    await kill('client');
    expect(await names()).toEqual(['engine']);
    await kill('loader');
    expect(await names()).toEqual(['engine']);
  });
});
