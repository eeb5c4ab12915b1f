import { type Libc, loadLibc } from '../../base/native/libc.ts';
import type { Port } from '../../base/threads/call-port.ts';

/**
 * The SCHED_FIFO priority of whatever the bench thread may have to wait for: below its own, above all
 * ordinary work.
 */
export const ceilingPriority = 10;

/**
 * A port to the bench thread of a thread with a lower priority. Node holds the lock of a port while it
 * wakes the receiver, which then waits for the lock: for as long as ordinary work keeps the sender
 * from going on. So the sender has the priority of the lock meanwhile.
 */
export const raisedPort = (
  port: Port,
  { requestFifo, leaveFifo }: Pick<Libc, 'requestFifo' | 'leaveFifo'>,
): Port => ({
  postMessage(message, transfer) {
    requestFifo(ceilingPriority);
    try {
      port.postMessage(message, transfer);
    } finally {
      leaveFifo();
    }
  },
  on: (event, listener) => port.on(event, listener),
});

/** The port with which a worker talks to the bench thread. */
export const benchPort = async (port: Port, isRealtime: boolean): Promise<Port> => {
  if (!isRealtime) return port;
  const loaded = await loadLibc();
  return loaded.available ? raisedPort(port, loaded.libc) : port;
};
