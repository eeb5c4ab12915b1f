import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Port } from '../../base/threads/rpc-port.ts';

interface LinkMessage {
  readonly link: MessagePort;
}

const isLink = (message: unknown): message is LinkMessage =>
  typeof message === 'object' && message !== null && 'link' in message;

/** Connects two threads directly. */
export const linkThreads = (one: Worker, other: Worker): void => {
  const { port1, port2 } = new MessageChannel();
  one.postMessage({ link: port1 } satisfies LinkMessage, [port1]);
  other.postMessage({ link: port2 } satisfies LinkMessage, [port2]);
};

export const onLinked = (port: Port, listener: (link: MessagePort) => void): void => {
  port.on('message', (message: unknown) => {
    if (isLink(message)) listener(message.link);
  });
};
