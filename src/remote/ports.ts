import type { HostPort } from '../base/net/host-port.ts';
import type { RingHandle } from '../broker/ring-memory.ts';

/** Why a channel stopped serving what was under way on it. */
export type Interruption = 'closed' | 'configured' | 'lost';

/** What forwards frames onto a channel. */
export interface ForwardLaneOwner {
  /** A frame was `sent`, has `expired`, or will never be sent for that reason. */
  settled(outcome: string): void;
  /** There is room for the frame that was refused as `full`. */
  room(): void;
}

/** A way onto a channel, in turn with all others that send there. */
export interface ForwardLane {
  /**
   * Queues a frame: FRM2 flags, and the bytes that its DLC stands for. Answers `accepted`, `full`
   * where room is told later, or why it cannot be sent. A frame that could not begin by the deadline,
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
  /** Accepted frames without an outcome. */
  readonly pending: number;
  /** Takes back what the port does not have yet, and says how many frames that were. */
  discard(): number;
  /** Nothing is told any more. */
  close(): void;
}

/** An open CAN channel, as far as forwarding needs it. */
export interface ForwardChannel {
  readonly slot: number;
  /** The physical selector, `sn/port`. */
  readonly selector: string;
  readonly ring: RingHandle;
  /** False from the moment it is being closed. */
  readonly isOpen: boolean;
  /** Has everything reported that happened on the bus by now. */
  catchUp(): void;
  /** `most` frames may be without an outcome at a time. */
  openLane(owner: ForwardLaneOwner, most: number): ForwardLane;
  /** Told before anything of the channel goes away. Returns how to stop listening. */
  onInterrupted(listener: (why: Interruption) => void): () => void;
}

/** What a socket reports. */
export interface SocketEvents {
  /** A datagram came; the bytes may be kept. */
  datagram(bytes: Uint8Array, address: string, port: number): void;
  /** The system takes datagrams again. */
  drained(): void;
  /** A datagram was not sent. */
  sendFailed(): void;
  /** The socket is of no more use. */
  failed(reason: string): void;
}

/** A bound UDP socket. No call blocks or throws. */
export interface DatagramSocket {
  readonly local: HostPort;
  /** False while the system has not taken all that was sent. */
  readonly isReady: boolean;
  /** Begins to report. */
  attach(events: SocketEvents): void;
  /** Sends the first `length` bytes, which may be changed afterwards. */
  send(bytes: Uint8Array, length: number, to: HostPort): void;
  /** Datagrams that the system had no room for so far; null where it does not tell. */
  overruns(): number | null;
  /** Nothing is reported any more. Answers how many datagrams the system has not taken. */
  close(): number;
}
