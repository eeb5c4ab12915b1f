import type { HostPort } from '../base/net/host-port.ts';
import type { RingHandle } from '../broker/ring-memory.ts';

export type Interruption = 'closed' | 'configured' | 'lost';

export interface ForwardLaneOwner {
  /** A frame was `sent`, `expired`, or will never be sent for this reason. */
  settled(outcome: string): void;
  /** The channel has room again after it returned `full`. */
  room(): void;
}

export interface ForwardLane {
  /**
   * Queues a frame: FRM2 flags, and the bytes of its DLC. Returns `accepted`, `full` if room is
   * reported later, or the reason why it cannot be sent. A frame that has not started by the
   * monotonic deadline is not sent. A device that cannot cancel a frame may send it late.
   */
  send(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    deadlineUs: number,
  ): string;
  readonly pending: number;
  discard(): number;
  close(): void;
}

export interface ForwardChannel {
  readonly slot: number;
  readonly selector: string;
  readonly ring: RingHandle;
  /** False once it is closing. */
  readonly isOpen: boolean;
  catchUp(): void;
  /** `max`: maximum number of frames without an outcome. */
  openLane(owner: ForwardLaneOwner, max: number): ForwardLane;
  /** Called before the channel is closed. Returns an unsubscribe function. */
  onInterrupted(listener: (why: Interruption) => void): () => void;
}

export interface SocketEvents {
  /** The bytes can be kept. */
  datagram(bytes: Uint8Array, address: string, port: number): void;
  drained(): void;
  sendFailed(): void;
  failed(reason: string): void;
}

export interface DatagramSocket {
  readonly local: HostPort;
  /** False while sent datagrams are queued. */
  readonly isReady: boolean;
  attach(events: SocketEvents): void;
  /** Sends the first `length` bytes, which can change afterwards. */
  send(bytes: Uint8Array, length: number, to: HostPort): void;
  /** Datagrams dropped by the system; null if unknown. */
  overruns(): number | null;
  close(): number;
}
