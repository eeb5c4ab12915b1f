import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { serveClients } from './client-start.ts';

const serve = async (listen: () => Promise<void>): Promise<string[]> => {
  const told: string[] = [];
  await serveClients({
    bench: {
      clientStage: async (stage) => void told.push(stage),
      clientReady: async () => void told.push('ready'),
      clientFailed: async ({ code }) => void told.push(code),
    },
    listen,
    resume: async () => void told.push('resumed'),
  });
  return told;
};

describe('a client thread that starts', () => {
  it('is ready once it listens and has taken up what ran', async () => {
    expect(await serve(async () => undefined)).toEqual(['opens its socket', 'resumed', 'ready']);
  });

  it('says why it cannot be reached, and takes up nothing', async () => {
    const refusal = new BusbarError('listen_failed');
    expect(await serve(() => Promise.reject(refusal))).toEqual([
      'opens its socket',
      'listen_failed',
    ]);
  });
});
