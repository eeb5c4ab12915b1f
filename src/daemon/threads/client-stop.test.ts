import { expect, it } from 'vitest';
import { stopClients } from './client-stop.ts';

it('ends the ways in first, then streams, then calls, and waits for their answers', async () => {
  const told: string[] = [];
  const tell = (what: string) => (): void => void told.push(what);
  await stopClients({
    ipc: {
      stopListening: tell('socket'),
      cancelCalls: (reason) => void told.push(`calls ${reason}`),
      settled: async () => void told.push('settled'),
    },
    web: { stop: async (reason) => void told.push(`web ${reason}`) },
    sources: [{ close: tell('events') }, { close: tell('watches') }],
    dispatcher: { endForwardedStreams: tell('forwarded') },
  });
  expect(told).toEqual([
    'socket',
    'web daemon_stop',
    'events',
    'watches',
    'forwarded',
    'calls daemon_stopped',
    'settled',
  ]);
});
