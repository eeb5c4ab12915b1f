import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock/clock.ts';
import { peerHold, type TcpEnds } from '../../base/net/local-peer.ts';

/** How soon a client that has left is missed: it mostly leaves when it ends its sending side. */
const firstLookMs = 100;
const longestWaitMs = 1000;

/** One look may miss a socket while the table of the kernel changes under it. */
const looksThatTell = 2;

type HalfClosedSocket = TcpEnds & Pick<Socket, 'destroy'>;
type OpenAnswer = Pick<ServerResponse, 'headersSent' | 'closed' | 'once' | 'writeContinue'> & {
  readonly req: Pick<IncomingMessage, 'httpVersionMinor'>;
};

/**
 * Looks after a client that will send nothing more until its answer begins, which tells the rest: a
 * client that has left refuses it. Most have left, and what they asked for is to end; some only shut
 * down their sending side, and wait. Whether there is still a reader the kernel knows of clients on
 * this computer. Others are sent an interim response, which every client of HTTP/1.1 has to pass
 * over (RFC 9110, 15.2): the system of one that has left refuses it, and the next one fails.
 */
export const attendHalfClosed = (
  socket: HalfClosedSocket,
  response: OpenAnswer,
  clock: Clock,
): void => {
  let wait = firstLookMs;
  let absent = 0;
  const look = async (): Promise<void> => {
    const hold = await peerHold(socket);
    if (response.closed || response.headersSent) return;
    absent = hold === 'let go' ? absent + 1 : 0;
    if (absent >= looksThatTell) {
      socket.destroy();
      return;
    }
    if (hold === 'unknown' && response.req.httpVersionMinor > 0) response.writeContinue();
    if (absent === 0) wait = Math.min(2 * wait, longestWaitMs);
    timer = clock.after(wait, look);
  };
  let timer = clock.after(wait, look);
  response.once('close', () => timer.cancel());
};
