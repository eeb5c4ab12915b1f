import { describe, expect, it } from 'vitest';
import { Deferred } from '../../src/base/deferred.ts';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { StreamServer } from './support/stream-server.ts';

/** A client whose channels are still being looked up while the Web service stops. */
const stopWhileLookingUp = async (connect: (port: number) => Promise<unknown>) => {
  const server = await StreamServer.start();
  server.bench.open(0);
  const asked = new Deferred<void>();
  const channels = new Deferred<readonly number[]>();
  server.lookUp = () => {
    asked.resolve();
    return channels.promise;
  };
  const outcome = connect(server.port).then(
    () => 'opened',
    () => 'refused',
  );
  await asked.promise;
  const closed = server.server.close().then(() => 'stopped');
  channels.resolve([0]);
  // The response is sent in the same turn in which the channels are known.
  await new Promise((resolve) => setImmediate(resolve));
  server.advance(1);
  return { server, outcome: await outcome, closed };
};

describe('a client that comes while the Web service stops', () => {
  it('does not open a frame stream any more, nor keep the service from stopping', async () => {
    const { server, outcome, closed } = await stopWhileLookingUp((port) =>
      FrameClient.open({ port }),
    );
    expect(outcome).toBe('refused');
    expect(server.bench.hub.consumersOf(0)).toEqual([]);
    expect(await closed).toBe('stopped');
  });

  it('does not open an event stream any more, nor keep the service from stopping', async () => {
    const { server, outcome, closed } = await stopWhileLookingUp((port) =>
      SseClient.open({ port }),
    );
    expect(outcome).toBe('refused');
    expect(server.bench.hub.consumersOf(0)).toEqual([]);
    expect(await closed).toBe('stopped');
  });
});
