import { loadBench } from '../../bench/load-bench.ts';
import { CallPort, type Port } from '../threads/call-port.ts';
import type { LoaderOffer } from './thread-contracts.ts';

/** Waits for work. The open port keeps the thread alive. */
export const runLoaderThread = (port: Port): void => {
  const offer: LoaderOffer = { loadBench };
  new CallPort(port, offer, (thrown) => console.error(thrown));
};
