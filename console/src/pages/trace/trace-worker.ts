import { TraceController } from './trace-controller.ts';
import type { TraceAnswer, TraceRequest } from './trace-messages.ts';

const statusMs = 250;

const port = self as unknown as {
  postMessage(answer: TraceAnswer, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<TraceRequest>) => void) | null;
};

const controller = new TraceController((answer, transfer) => port.postMessage(answer, transfer));
port.onmessage = ({ data }) => controller.take(data);
setInterval(() => controller.postStatus(), statusMs);
controller.postStatus();
