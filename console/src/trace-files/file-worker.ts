import { bytesOfBlob } from './blob-source.ts';
import { FileController } from './file-controller.ts';
import type { FileAnswer, FileRequest } from './file-messages.ts';

const port = self as unknown as {
  postMessage(answer: FileAnswer, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<FileRequest>) => void) | null;
};

const controller = new FileController({
  post: (answer, transfer) => port.postMessage(answer, transfer),
  bytesOf: bytesOfBlob,
  now: () => performance.now(),
  later: (run, ms) => setTimeout(run, ms),
});
port.onmessage = ({ data }) => controller.take(data);
port.postMessage({ type: 'ready' });
