import { framesSubprotocol, tokenPrefix } from '../../../src/frame/frames-subprotocol.ts';
import { ApiError } from '../api/api-error.ts';
import { read } from '../api/client.ts';
import { rememberedToken } from '../storage/remembered.ts';
import type { GapBounds } from '../trace-core/stream-stats.ts';
import { keepConnected, type StreamState } from './keep-connected.ts';

/** How long a connection may be silent that is suspected to be dead. */
const proofMs = 1000;

interface FrameSocketOptions {
  /** The event behind which to go on; null to go on live. Asked for every connection. */
  readonly cursor: () => number | null;
  /** Told before every connection which daemon it is, and since when that runs. */
  readonly onDaemon: (id: string, startedAtUs: number) => void;
  /** Told where live is, once, before a first connection without a cursor. */
  readonly onLive: (newest: number) => void;
  readonly onRecord: (record: DataView) => void;
  readonly onGap: (bounds: GapBounds) => void;
  readonly onState: (state: StreamState, error: ApiError | null) => void;
}

const refused = (): ApiError =>
  new ApiError({ code: 'websocket_refused', message: 'The service did not open the WebSocket' });

const lost = (code: number): ApiError =>
  new ApiError({ code: 'connection_lost', message: `The WebSocket was closed (code ${code})` });

/** The browser refuses subprotocols with characters that its header cannot carry. */
const unfitToken = (): ApiError =>
  new ApiError({
    code: 'token_unfit',
    message: 'The token contains characters that a WebSocket cannot carry',
    retryable: false,
  });

/** Close codes that say that all is well: normal, and going away. */
const goodCodes = [1000, 1001];

/** Follows the binary frame stream and goes on behind the last event after any break. */
export class FrameSocket {
  readonly #options: FrameSocketOptions;
  #run: AbortController | null = null;
  #socket: WebSocket | null = null;
  #hasHeard = false;

  constructor(options: FrameSocketOptions) {
    this.#options = options;
  }

  start(): void {
    this.#run?.abort();
    this.#run = new AbortController();
    this.#options.onState('connecting', null);
    const stopped = this.#run.signal;
    void keepConnected({
      stopped,
      connect: (onOpen) => this.#connect(stopped, onOpen),
      become: this.#options.onState,
    });
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
    this.#options.onState('stopped', null);
  }

  /**
   * Drops a connection that may be dead without knowing it, unless something comes on it soon; the next one
   * goes on where it was. To drop one that lives would lose what is under way on it: by the time of
   * the next, the service may no longer keep that.
   */
  renew(): void {
    const suspected = this.#socket;
    this.#hasHeard = false;
    setTimeout(() => {
      if (this.#socket === suspected && !this.#hasHeard) suspected?.close();
    }, proofMs);
  }

  async #connect(stopped: AbortSignal, onOpen: () => void): Promise<ApiError | null> {
    try {
      // A refused WebSocket tells no reason; a plain question does.
      const { service } = await read<'info'>('/api/v1/info');
      const { newest_available } = await read<'message.history'>(
        '/api/v1/messages/history?limit=1',
      );
      if (stopped.aborted) return null;
      this.#options.onDaemon(service.instance_id, service.started_at_us);
      if (this.#options.cursor() === null) this.#options.onLive(newest_available);
      return await this.#read(this.#open(), stopped, onOpen);
    } catch (thrown) {
      if (thrown instanceof ApiError) return thrown;
      throw thrown;
    }
  }

  #open(): WebSocket {
    const after = this.#options.cursor();
    const path = `/api/v1/messages/ws${after === null ? '' : `?after=${after}`}`;
    const url = new URL(path, location.origin);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const token = rememberedToken.get();
    try {
      return new WebSocket(url, [
        framesSubprotocol,
        ...(token === null ? [] : [`${tokenPrefix}${token}`]),
      ]);
    } catch (thrown) {
      if ((thrown as Error).name === 'SyntaxError') throw unfitToken();
      throw thrown;
    }
  }

  #read(socket: WebSocket, stopped: AbortSignal, onOpen: () => void): Promise<ApiError | null> {
    const { onRecord, onGap } = this.#options;
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    // Asked for every frame, for which a signal is too slow.
    let isStopped = stopped.aborted;
    const stop = (): void => {
      isStopped = true;
      socket.close();
    };
    stopped.addEventListener('abort', stop);
    return new Promise((done) => {
      let isOpened = false;
      socket.onopen = () => {
        isOpened = true;
        if (!isStopped) onOpen();
      };
      socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
        // What was under way when the stream was stopped is fetched again when it goes on.
        if (isStopped) return;
        this.#hasHeard = true;
        if (typeof data === 'string') onGap(JSON.parse(data) as GapBounds);
        else onRecord(new DataView(data));
      };
      socket.onclose = ({ code }) => {
        stopped.removeEventListener('abort', stop);
        if (this.#socket === socket) this.#socket = null;
        if (!isOpened) done(refused());
        else done(goodCodes.includes(code) ? null : lost(code));
      };
    });
  }
}
