import { framesSubprotocol, tokenPrefix } from '../../../src/frame/frames-subprotocol.ts';
import { ApiError } from '../api/api-error.ts';
import { read } from '../api/client.ts';
import { rememberedToken } from '../storage/remembered.ts';
import type { GapBounds } from '../trace-core/stream-stats.ts';
import { Reconnecting, type StreamState } from './keep-connected.ts';

/** A connection suspected to be dead can be silent for this time. */
const proofMs = 1000;

/**
 * Each wake-up costs the browser as much as several frames, and rows are drawn no more often than
 * every `pictureMs`.
 */
const intervalMs = 90;

interface FrameSocketOptions {
  /** Event to resume after, or null for live. Read for every connection. */
  readonly cursor: () => number | null;
  /** Called before every connection with the daemon and its start time. */
  readonly onDaemon: (id: string, startedAtUs: number) => void;
  /** Called with the newest event before a first connection without a cursor. */
  readonly onLive: (newest: number) => void;
  readonly onRecord: (record: DataView) => void;
  readonly onGap: (bounds: GapBounds) => void;
  readonly onState: (state: StreamState, error: ApiError | null) => void;
}

const refused = (): ApiError =>
  new ApiError({ code: 'websocket_refused', message: 'The service did not open the WebSocket' });

const lost = (code: number): ApiError =>
  new ApiError({ code: 'connection_lost', message: `The WebSocket was closed (code ${code})` });

/** The browser rejects subprotocols with such characters. */
const unfitToken = (): ApiError =>
  new ApiError({
    code: 'token_unfit',
    message: 'The token contains characters that a WebSocket cannot carry',
    retryable: false,
  });

const goodCodes = [1000, 1001];

export class FrameSocket extends Reconnecting {
  readonly #options: FrameSocketOptions;
  #socket: WebSocket | null = null;
  #hasHeard = false;

  constructor(options: FrameSocketOptions) {
    super();
    this.#options = options;
  }

  /**
   * Drops a connection that seems dead, unless data arrives soon; the next one resumes.
   * Dropping a live one would lose data in flight that the service can have overwritten.
   */
  renew(): void {
    const suspected = this.#socket;
    this.#hasHeard = false;
    setTimeout(() => {
      if (this.#socket === suspected && !this.#hasHeard) suspected?.close();
    }, proofMs);
  }

  protected become(state: StreamState, error: ApiError | null): void {
    this.#options.onState(state, error);
  }

  protected async connect(stopped: AbortSignal, onOpen: () => void): Promise<ApiError | null> {
    // A rejected WebSocket has no reason; the response to a plain request has one.
    const { service } = await read<'info'>('/api/v1/info');
    const { newest_available } = await read<'message.history'>('/api/v1/messages/history?limit=1');
    if (stopped.aborted) return null;
    this.#options.onDaemon(service.instance_id, service.started_at_us);
    if (this.#options.cursor() === null) this.#options.onLive(newest_available);
    return this.#read(this.#open(), stopped, onOpen);
  }

  #open(): WebSocket {
    const after = this.#options.cursor();
    const resumed = after === null ? '' : `&after=${after}`;
    const path = `/api/v1/messages/ws?interval_ms=${intervalMs}${resumed}`;
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
    // Read for every frame, for which a signal is too slow.
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
        // Data in flight is fetched again when the stream continues.
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
