import { CallPort, type Offer, type Port } from '../threads/call-port.ts';

/** What the loader does for the bench thread: long work that must not hold up a deadline. */
export type LoaderOffer = Offer;

/** Waits for work. The open port keeps the thread alive. */
export const runLoaderThread = (port: Port): void => {
  const offer: LoaderOffer = {};
  new CallPort(port, offer, () => undefined);
};
