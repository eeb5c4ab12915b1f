import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as sent. */
export interface TappedRequest {
  readonly path: string;
  readonly head: string;
}

const heads = /^GET (\S+) HTTP\/1\.1\r\n([\s\S]*?)\r\n\r\n/gm;

/**
 * A proxy between browser and service that records every GET, because a page does not report the
 * requests of its shared worker.
 */
export const tapRequests = async (
  listen: string,
): Promise<{ readonly listen: string; readonly requests: () => readonly TappedRequest[] }> => {
  const [host = '', port] = listen.split(':');
  const sent: string[] = [];
  const server = createServer((client) => {
    const service = connect(Number(port), host);
    const at = sent.push('') - 1;
    client.on('data', (bytes) => {
      sent[at] += bytes.toString('latin1');
    });
    client.pipe(service).pipe(client);
    for (const [end, other] of [
      [client, service],
      [service, client],
    ] as const) {
      end.on('error', () => other.destroy());
      end.on('close', () => other.destroy());
    }
    onTestFinished(() => {
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return {
    listen: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () =>
      sent
        .flatMap((text) => [...text.matchAll(heads)])
        .map(([, path = '', head = '']) => ({ path, head })),
  };
};
