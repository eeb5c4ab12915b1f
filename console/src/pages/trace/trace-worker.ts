import { TraceDesk } from './trace-desk.ts';
import type { TraceAnswer, TraceRequest } from './trace-messages.ts';

const statusMs = 250;

const port = self as unknown as {
  postMessage(answer: TraceAnswer, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<TraceRequest>) => void) | null;
};

const desk = new TraceDesk((answer, transfer) => port.postMessage(answer, transfer));
port.onmessage = ({ data }) => desk.take(data);
setInterval(() => desk.tellStatus(), statusMs);
// The page waits for a word before it asks anything.
desk.tellStatus();
