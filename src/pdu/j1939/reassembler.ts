import { DeadlineHeap } from '../../base/schedule/deadline-heap.ts';
import {
  destinationOf,
  diagnosticPgns,
  globalAddress,
  isDiagnosticPgn,
  pgnOf,
  priorityOf,
  sourceOf,
} from '../../database/j1939.ts';
import type { FindingCode, Pdu, PduStatus } from '../pdu.ts';
import { TwinFilter } from '../twin-filter.ts';
import { abortFinding } from './abort-reasons.ts';
import {
  control,
  maxExtendedTransport,
  maxSingleFrame,
  maxTransport,
  packetsOf,
  transportLength,
  transportPgn,
  uint16At,
  uint24At,
  uint32At,
} from './transport-frames.ts';
import { TransportSession } from './transport-session.ts';

/** Time-outs of a listener, in event time. */
export const listenerUs = {
  /** T1: to the next data frame. */
  data: 750_000,
  /** T2 and T3: after RTS, CTS, DPO and the last packet of a block. */
  control: 1_250_000,
  /** T4: after a CTS that holds the transfer. */
  hold: 1_050_000,
} as const;

export interface ReassemblerOptions {
  readonly onPdu: (pdu: Pdu) => void;
  /** A complete transfer is reported with its acknowledgement, or when that is overdue. */
  readonly awaitsAcknowledgement?: boolean;
  readonly maxPayload?: number;
  /** For the payloads of all open transfers. */
  readonly maxBytes?: number;
  readonly maxSessions?: number;
}

const groupBits = 0x03ff_0000;
const connectionBits = transportPgn.connection << 8;
const dataBits = transportPgn.data << 8;
const extendedConnectionBits = transportPgn.extendedConnection << 8;
const extendedDataBits = transportPgn.extendedData << 8;

const formatOf = (id: number): number => (id >>> 16) & 0x3ff;
const pduFormats = new Uint8Array(0x400);
for (const pgn of [...Object.values(transportPgn), ...Object.values(diagnosticPgns)]) {
  pduFormats[formatOf(pgn << 8)] = 1;
}

/** Whether a frame with this 29-bit identifier can be part of a PDU. */
export const isPduId = (id: number): boolean => {
  if (pduFormats[formatOf(id)] === 0) return false;
  const bits = id & groupBits;
  if (bits === dataBits || bits === connectionBits) return true;
  if (bits === extendedDataBits || bits === extendedConnectionBits) return true;
  return isDiagnosticPgn(pgnOf(id));
};

const keyOf = (isExtended: boolean, source: number, destination: number): number =>
  (isExtended ? 0x1_0000 : 0) | (source << 8) | destination;

class ChannelSessions {
  readonly byKey = new Map<number, TransportSession>();
  readonly deadlines = new DeadlineHeap<TransportSession>();
  readonly twins = new TwinFilter();
}

const statusOf = (code: FindingCode): PduStatus =>
  code === 'different_repeat' ? 'conflict' : 'lost';

/**
 * Passive reassembly of TP.BAM, TP.CM and ETP from frames in event order. It never writes: a
 * transfer is complete when all packets were seen, whether or not control frames were.
 * Frames outside of transfers allocate nothing.
 */
export class Reassembler {
  readonly #onPdu: (pdu: Pdu) => void;
  readonly #awaits: boolean;
  readonly #maxPayload: number;
  readonly #maxBytes: number;
  readonly #maxSessions: number;
  readonly #channels = new Map<number, ChannelSessions>();
  /** Whether the PDU of the next frame is marked. */
  isMarked = false;
  #bytes = 0;

  constructor(options: ReassemblerOptions) {
    this.#onPdu = options.onPdu;
    this.#awaits = options.awaitsAcknowledgement ?? false;
    this.#maxPayload = options.maxPayload ?? 1024 * 1024;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
    this.#maxSessions = options.maxSessions ?? 4096;
  }

  /** Earliest time-out of a transfer; Infinity if none is open. */
  get nextDeadlineUs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { deadlines } of this.#channels.values()) {
      next = Math.min(next, deadlines.firstDeadline);
    }
    return next;
  }

  /**
   * A data frame of CAN 2.0 with a 29-bit identifier for which `isPduId` is true. `kind` is an
   * FRM2 event kind.
   */
  take(
    channel: number,
    kind: number,
    id: number,
    bytes: Uint8Array,
    at: number,
    length: number,
    timestampUs: number,
    eventId: number,
  ): void {
    let sessions = this.#channels.get(channel);
    if (sessions === undefined) {
      sessions = new ChannelSessions();
      this.#channels.set(channel, sessions);
    }
    this.#expire(sessions, timestampUs);
    if (sessions.twins.isTwin(kind, id, bytes, at, length, timestampUs)) return;
    const frame = { channel, id, bytes, at, length, timestampUs, eventId };
    switch (id & groupBits) {
      case dataBits:
        this.#data(sessions, false, frame);
        return;
      case extendedDataBits:
        this.#data(sessions, true, frame);
        return;
      case connectionBits:
        this.#control(sessions, false, frame);
        return;
      case extendedConnectionBits:
        this.#control(sessions, true, frame);
        return;
      default:
        this.#single(frame);
    }
  }

  /** Ends the transfers whose time-out lies before a time. */
  expire(nowUs: number): void {
    for (const sessions of this.#channels.values()) this.#expire(sessions, nowUs);
  }

  /** Events before `eventId` were lost, on any channel. */
  missed(eventId: number): void {
    for (const sessions of this.#channels.values()) {
      for (const session of sessions.byKey.values()) {
        if (session.state === 'open') this.#fail(session, 'lost', 'events_missing', eventId);
      }
    }
  }

  /** The channel, or all channels, ended: reports what is open. */
  close(channel?: number): void {
    for (const [key, sessions] of this.#channels) {
      if (channel !== undefined && key !== channel) continue;
      for (const session of sessions.byKey.values()) this.#end(sessions, session, 'open');
      this.#channels.delete(key);
    }
  }

  #single({ channel, id, bytes, at, length, timestampUs, eventId }: Frame): void {
    this.#onPdu({
      protocol: 'j1939',
      channel,
      firstEventId: eventId,
      lastEventId: eventId,
      timestampUs,
      durationUs: 0,
      frames: 1,
      length,
      payload: bytes.slice(at, at + length),
      status: 'complete',
      findings: [],
      pgn: pgnOf(id),
      source: sourceOf(id),
      destination: globalAddress,
      priority: priorityOf(id),
      acknowledged: null,
      id: null,
      extended: null,
      address: null,
      ...(this.isMarked && { isMarked: true }),
    });
  }

  #control(sessions: ChannelSessions, isExtended: boolean, frame: Frame): void {
    const { bytes, at, length } = frame;
    const code = length === 0 ? undefined : bytes[at];
    const isStart = isExtended
      ? code === control.extendedRts
      : code === control.rts || code === control.broadcast;
    if (isStart) {
      this.#announce(sessions, isExtended, frame);
      return;
    }
    if (length !== transportLength) return;
    switch (code) {
      case isExtended ? control.extendedCts : control.cts:
        this.#clearToSend(sessions, isExtended, frame);
        return;
      case isExtended ? control.extendedEnd : control.endOfMessage:
        this.#acknowledge(sessions, isExtended, frame);
        return;
      case control.abort:
        this.#abort(sessions, isExtended, frame);
        return;
      case control.packetOffset:
        if (isExtended) this.#packetOffset(sessions, frame);
    }
  }

  #announce(sessions: ChannelSessions, isExtended: boolean, frame: Frame): void {
    const { channel, id, bytes, at, timestampUs, eventId } = frame;
    const [source, destination] = [sourceOf(id), destinationOf(id)];
    const key = keyOf(isExtended, source, destination);
    const old = sessions.byKey.get(key);
    const flaw = announcementFlaw(isExtended, frame);
    if (flaw) {
      if (old?.state === 'open') {
        this.#count(old, timestampUs, eventId);
        this.#fail(old, 'lost', flaw, eventId);
        this.#schedule(sessions, old, timestampUs + listenerUs.data);
        return;
      }
      const orphan = this.#orphan(sessions, isExtended, frame);
      orphan.find(flaw, eventId);
      return;
    }
    const size = isExtended ? uint32At(bytes, at + 1) : uint16At(bytes, at + 1);
    const pgn = uint24At(bytes, at + 5);
    const isBroadcast = bytes[at] === control.broadcast;
    const afterUs = timestampUs + (isBroadcast ? listenerUs.data : listenerUs.control);
    if (old?.state === 'open') {
      const { announcement } = old;
      const isSame = announcement.size === size && announcement.pgn === pgn;
      if (isSame && (isBroadcast || !old.hasPackets)) {
        old.restart();
        this.#count(old, timestampUs, eventId);
        old.find('restarted', eventId);
        this.#schedule(sessions, old, afterUs);
        return;
      }
    }
    if (old) this.#end(sessions, old, 'replaced');
    const session = new TransportSession({
      channel,
      isExtended,
      source,
      destination,
      priority: priorityOf(id),
      pgn,
      size,
      packets: packetsOf(size),
    });
    this.#count(session, timestampUs, eventId);
    if (size > this.#maxPayload) this.#fail(session, 'too_long');
    else this.#makeRoom(sessions, session, eventId);
    sessions.byKey.set(key, session);
    this.#schedule(sessions, session, afterUs);
  }

  #data(sessions: ChannelSessions, isExtended: boolean, frame: Frame): void {
    const { id, bytes, at, length, timestampUs, eventId } = frame;
    const key = keyOf(isExtended, sourceOf(id), destinationOf(id));
    const session = sessions.byKey.get(key);
    if (!session || session.state === 'orphan') {
      this.#orphan(sessions, isExtended, frame);
      return;
    }
    if (session.state === 'failed') {
      this.#schedule(sessions, session, timestampUs + listenerUs.control);
      return;
    }
    const result = length === transportLength ? session.store(bytes, at) : 'bad_length';
    if (session.state === 'complete') {
      if (result === 'repeat') return;
      const code = result as FindingCode;
      // Otherwise the payload was reported already.
      const isAwaited = this.#awaits && !session.isBroadcast;
      if (code === 'different_repeat' && isAwaited) this.#fail(session, 'conflict', code, eventId);
      else session.find(code, eventId);
      return;
    }
    this.#count(session, timestampUs, eventId);
    if (result === 'repeat') session.find('repeat', eventId);
    else if (result === 'complete') this.#complete(session);
    else if (result !== 'stored') this.#fail(session, statusOf(result), result, eventId);
    this.#schedule(sessions, session, timestampUs + waitAfterData(session));
  }

  #clearToSend(sessions: ChannelSessions, isExtended: boolean, frame: Frame): void {
    const { bytes, at, timestampUs, eventId } = frame;
    const session = this.#answered(sessions, isExtended, frame);
    if (session?.state !== 'open') return;
    this.#count(session, timestampUs, eventId);
    const packets = bytes[at + 1] as number;
    if (packets === 0) {
      session.blockEnd = 0;
      this.#schedule(sessions, session, timestampUs + listenerUs.hold);
      return;
    }
    const next = isExtended ? uint24At(bytes, at + 2) : (bytes[at + 2] as number);
    session.blockEnd = Math.min(next + packets - 1, session.announcement.packets);
    // The block begins with a data packet offset.
    if (isExtended) session.offset = -1;
    this.#schedule(sessions, session, timestampUs + listenerUs.control);
  }

  #packetOffset(sessions: ChannelSessions, frame: Frame): void {
    const { id, bytes, at, timestampUs, eventId } = frame;
    const session = sessions.byKey.get(keyOf(true, sourceOf(id), destinationOf(id)));
    if (session?.state !== 'open') return;
    this.#count(session, timestampUs, eventId);
    const packets = bytes[at + 1] as number;
    const offset = uint24At(bytes, at + 2);
    if (uint24At(bytes, at + 5) !== session.announcement.pgn) {
      this.#fail(session, 'lost', 'pgn_differs', eventId);
    } else if (packets === 0 || offset + packets > session.announcement.packets) {
      this.#fail(session, 'lost', 'bad_offset', eventId);
    } else {
      session.offset = offset;
      session.blockPackets = packets;
      session.blockEnd = offset + packets;
    }
    this.#schedule(sessions, session, timestampUs + listenerUs.control);
  }

  #acknowledge(sessions: ChannelSessions, isExtended: boolean, frame: Frame): void {
    const { bytes, at, timestampUs, eventId } = frame;
    const session = this.#answered(sessions, isExtended, frame);
    if (!session) return;
    if (session.state === 'complete') {
      const size = isExtended ? uint32At(bytes, at + 1) : uint16At(bytes, at + 1);
      const isWhole = size === session.announcement.size;
      if (!isWhole) session.find('size_differs', eventId);
      if (session.pdu?.status === 'complete') session.pdu.acknowledged = isWhole;
      this.#end(sessions, session, 'complete');
    } else if (session.state === 'open') {
      this.#count(session, timestampUs, eventId);
      session.find('acknowledged_incomplete', eventId);
      this.#end(sessions, session, 'lost');
    } else {
      this.#forget(sessions, session);
    }
  }

  /** Both nodes can abort, and each can send to the other at the same time. */
  #abort(sessions: ChannelSessions, isExtended: boolean, frame: Frame): void {
    const { id, bytes, at, timestampUs, eventId } = frame;
    const pgn = uint24At(bytes, at + 5);
    const code = abortFinding(bytes[at + 1] as number);
    const [source, destination] = [sourceOf(id), destinationOf(id)];
    for (const key of [
      keyOf(isExtended, source, destination),
      keyOf(isExtended, destination, source),
    ]) {
      const session = sessions.byKey.get(key);
      if (session?.announcement.pgn !== pgn) continue;
      if (session.state === 'complete') session.find(code, eventId);
      if (session.state !== 'open') continue;
      this.#count(session, timestampUs, eventId);
      this.#fail(session, 'aborted', code, eventId);
      this.#schedule(sessions, session, timestampUs + listenerUs.data);
    }
  }

  /** The session that the receiver of its data answers; null if for another group. */
  #answered(
    sessions: ChannelSessions,
    isExtended: boolean,
    { id, bytes, at, timestampUs, eventId }: Frame,
  ): TransportSession | null {
    const key = keyOf(isExtended, destinationOf(id), sourceOf(id));
    const session = sessions.byKey.get(key);
    if (!session || session.state === 'orphan') return null;
    if (session.announcement.pgn === uint24At(bytes, at + 5)) return session;
    // An earlier transfer can still be active; its data would be taken for this one's.
    if (session.state === 'open') {
      this.#count(session, timestampUs, eventId);
      this.#fail(session, 'lost', 'pgn_differs', eventId);
    }
    return null;
  }

  #orphan(sessions: ChannelSessions, isExtended: boolean, frame: Frame): TransportSession {
    const { channel, id, timestampUs, eventId } = frame;
    const [source, destination] = [sourceOf(id), destinationOf(id)];
    const key = keyOf(isExtended, source, destination);
    let session = sessions.byKey.get(key);
    if (session?.state !== 'orphan') {
      if (session) this.#end(sessions, session, 'replaced');
      session = new TransportSession({
        channel,
        isExtended,
        source,
        destination,
        priority: priorityOf(id),
        pgn: null,
        size: 0,
        packets: 0,
      });
      this.#makeRoom(sessions, session, eventId);
      sessions.byKey.set(key, session);
    }
    this.#count(session, timestampUs, eventId);
    this.#schedule(sessions, session, timestampUs + listenerUs.data);
    return session;
  }

  #count(session: TransportSession, timestampUs: number, eventId: number): void {
    session.count(timestampUs, eventId);
    if (this.isMarked) session.isMarked = true;
  }

  #complete(session: TransportSession): void {
    session.state = 'complete';
    const pdu = session.settle('complete');
    if (!this.#awaits || session.isBroadcast) this.#onPdu(pdu);
  }

  /** Reports a failed transfer now, and swallows the rest of it. */
  #fail(session: TransportSession, status: PduStatus, code?: FindingCode, eventId = 0): void {
    if (code) session.find(code, eventId);
    session.state = 'failed';
    this.#release(session);
    this.#onPdu(session.settle(status));
  }

  /** Reports a session that has not been reported, and removes it. */
  #end(sessions: ChannelSessions, session: TransportSession, status: PduStatus): void {
    this.#forget(sessions, session);
    if (session.state === 'orphan') this.#onPdu(session.settle('orphan'));
    else if (session.state === 'open') this.#onPdu(session.settle(status));
    else if (session.state === 'complete' && this.#awaits && !session.isBroadcast && session.pdu) {
      this.#onPdu(session.pdu);
    }
  }

  #forget(sessions: ChannelSessions, session: TransportSession): void {
    const { isExtended, source, destination } = session.announcement;
    sessions.byKey.delete(keyOf(isExtended, source, destination));
    sessions.deadlines.remove(session);
    this.#release(session);
  }

  #release(session: TransportSession): void {
    this.#bytes -= session.memory;
    session.free();
  }

  #expire(sessions: ChannelSessions, nowUs: number): void {
    const { deadlines } = sessions;
    while (deadlines.firstDeadline < nowUs) {
      this.#end(sessions, deadlines.first as TransportSession, 'timeout');
    }
  }

  #schedule(sessions: ChannelSessions, session: TransportSession, deadlineUs: number): void {
    sessions.deadlines.put(session, deadlineUs);
  }

  /** Ends the transfers with the earliest time-outs until there is room for another one. */
  #makeRoom(sessions: ChannelSessions, session: TransportSession, eventId: number): void {
    const { size } = session.announcement;
    while (
      sessions.byKey.size >= this.#maxSessions ||
      (this.#bytes + size > this.#maxBytes && sessions.deadlines.size > 0)
    ) {
      const victim = sessions.deadlines.first;
      if (!victim) break;
      victim.find('memory_limit', eventId);
      this.#end(sessions, victim, 'lost');
    }
    if (this.#bytes + size > this.#maxBytes) {
      this.#fail(session, 'lost', 'memory_limit', eventId);
      return;
    }
    session.allocate();
    this.#bytes += size;
  }
}

interface Frame {
  readonly channel: number;
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly length: number;
  readonly timestampUs: number;
  readonly eventId: number;
}

const announcementFlaw = (
  isExtended: boolean,
  { id, bytes, at, length }: Frame,
): FindingCode | null => {
  if (length !== transportLength) return 'bad_length';
  const isToAll = destinationOf(id) === globalAddress;
  if ((bytes[at] === control.broadcast) !== isToAll) return 'bad_destination';
  if (isExtended) {
    const size = uint32At(bytes, at + 1);
    return size > maxTransport && size <= maxExtendedTransport ? null : 'bad_announcement';
  }
  const size = uint16At(bytes, at + 1);
  const isFit = size > maxSingleFrame && size <= maxTransport;
  return isFit && packetsOf(size) === bytes[at + 3] ? null : 'bad_announcement';
};

const waitAfterData = ({ isBroadcast, blockEnd, lastPacket, state }: TransportSession): number => {
  if (isBroadcast) return listenerUs.data;
  // At the end of a block, or if the other side is not received, the sender waits for a CTS.
  const isWaiting = state !== 'open' || blockEnd === 0 || lastPacket >= blockEnd;
  return isWaiting ? listenerUs.control : listenerUs.data;
};
