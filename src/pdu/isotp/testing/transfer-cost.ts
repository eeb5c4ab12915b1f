import { now, times } from '../../../base/testing/stepped-time.ts';
import type { IsotpAddress } from '../addressing.ts';
import { Pci, readPci } from '../pci.ts';
import { IsotpReceiver } from '../receiver.ts';
import { IsotpSender } from '../sender.ts';

const warmUpMessages = 200;
const messages = 200;
const length = 4095;
const frames = 586 + Math.ceil(585 / 8);

const address: IsotpAddress = { id: 0x7e0, extended: false, addressByte: null };
const options = { address, fd: false, brs: false, padding: 0xcc };
const second = 1_000_000;
let received = 0;

const sender = new IsotpSender({ ...options, txDl: 8, nAsUs: second, nBsUs: second, waitMax: 0 });
const receiver = new IsotpReceiver({
  ...options,
  blockSize: 8,
  stMinUs: 0,
  maxLength: length,
  nArUs: second,
  nCrUs: second,
  onPayload: (payload) => {
    received += payload.length;
  },
});
const pci = new Pci();
const payload = new Uint8Array(length).fill(0x5a);

const transfer = (): void => {
  sender.start(payload, times[now] as number);
  while (!sender.isOver) {
    const flow = receiver.next();
    if (flow) {
      readPci(pci, flow.data, 0, flow.length, 0);
      receiver.sent(times[now] as number);
      sender.flow(pci, times[now] as number);
    }
    const frame = sender.next(times[now] as number);
    if (!frame) continue;
    readPci(pci, frame.data, 0, frame.length, 0);
    times[now] = (times[now] as number) + 222.25;
    sender.sent(times[now] as number);
    receiver.received(pci, frame.data, 0, times[now] as number);
  }
};

/** Prints the bytes that a frame of a message allocates in its sender and receiver. */
export const printCost = (): void => {
  for (let i = 0; i < warmUpMessages; i++) transfer();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < messages; i++) transfer();
  const bytes = process.memoryUsage().heapUsed - before;
  console.log(JSON.stringify({ bytes: bytes / (messages * frames), received }));
};
