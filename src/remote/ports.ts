import type { HostPort } from '../base/net/host-port.ts';
import type { RingHandle } from '../broker/ring-memory.ts';

export type Interruption = 'closed' | 'configured' | 'lost';

export interface ForwardLaneOwner {
  /** A frame was `sent`, `expired`, or will never be sent for that reason. */
  settled(outcome: string): void;
  /** There is room for a frame refused as `full`. */
  room(): void;
}

/** A lane of a channel. */
export interface ForwardLane {
  /**
   * Queues a frame: FRM2 flags, and the bytes that its DLC stands for. Answers `accepted`, `full`
   * where room is reported later, or why it cannot be sent. A frame that could not begin by the deadline,
   * which is a time of the monotonic clock, is not sent; a device that cannot give a frame back may
   * send one late.
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
  /** Withdraws frames not yet at the port; returns their number. */
  discard(): number;
  close(): void;
}

/** An open CAN channel. */
export interface ForwardChannel {
  readonly slot: number;
  readonly selector: string;
  readonly ring: RingHandle;
  /** False once it is closing. */
  readonly isOpen: boolean;
  /** Reads everything that happened on the bus. */
  catchUp(): void;
  /** `max`: frames without an outcome, at most. */
  openLane(owner: ForwardLaneOwner, max: number): ForwardLane;
  /** Called before the channel goes away. Returns an unsubscribe function. */
  onInterrupted(listener: (why: Interruption) => void): () => void;
}

/** Events of a socket. */
export interface SocketEvents {
  /** A received datagram, which may be kept. */
  datagram(bytes: Uint8Array, address: string, port: number): void;
  /** The system accepts datagrams again. */
  drained(): void;
  sendFailed(): void;
  /** The socket failed. */
  failed(reason: string): void;
}

export interface DatagramSocket {
  readonly local: HostPort;
  /** False while sent datagrams are queued. */
  readonly isReady: boolean;
  /** Starts reporting. */
  attach(events: SocketEvents): void;
  /** Sends the first `length` bytes, which may change afterwards. */
  send(bytes: Uint8Array, length: number, to: HostPort): void;
  /** Datagrams dropped by the system; null if unknown. */
  overruns(): number | null;
  close(): number;
}
