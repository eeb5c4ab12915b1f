import type { Port } from './page-port.ts';
import { StreamService } from './stream-service.ts';

// Shared by the pages of a browser if supported, otherwise owned by one page.
const scope = self as unknown as {
  onconnect: ((event: MessageEvent) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
};

const service = new StreamService();
const serve = ({ ports: [port] }: MessageEvent): void => service.serve(port as unknown as Port);
scope.onconnect = serve;
scope.onmessage = serve;
