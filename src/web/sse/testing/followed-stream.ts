import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** Follows the stream at a port: the response, and all its text so far. */
export const followStream = async (port: number) => {
  const request = get({ port, host: '127.0.0.1', agent: false });
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = { text: '', hasEnded: false };
  response.on('data', (bytes) => {
    body.text += bytes;
  });
  response.on('end', () => {
    body.hasEnded = true;
  });
  response.on('error', () => {});
  return { request, response, body };
};

/** The ids of all messages in a text, in order. */
export const idsIn = (text: string): string[] =>
  [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id ?? '');
