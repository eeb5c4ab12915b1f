import type { Clock, Timer } from '../../base/clock/clock.ts';
import { ListPage } from '../../base/json/list-page.ts';
import type { SlicedJson } from '../../base/json/sliced-json.ts';
import type { SubscriptionHandle } from '../../base/subscription.ts';
import type { EventSink, ReaderHub } from '../../broker/reader-hub.ts';
import { wholeRing } from '../../broker/ring-cursor.ts';
import type { KnownDids } from '../../diagnostics/words.ts';
import {
  frm2Bus,
  frm2Channel,
  frm2EventId,
  frm2EventKind,
  frm2Flags,
  frm2Id,
  frm2PayloadLength,
  frm2Status,
  frm2TimestampUs,
} from '../../frame/frm2-codec.ts';
import { busCode, frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import { type J1939NodeRecord, nodeRecord } from '../claim-record.ts';
import type { IsotpAddress, IsotpPair } from '../isotp/addressing.ts';
import { IsotpListener } from '../isotp/listener.ts';
import { AddressBook } from '../j1939/address-book.ts';
import { isClaimId } from '../j1939/claim-frames.ts';
import { isPduId, Reassembler } from '../j1939/reassembler.ts';
import type { Pdu } from '../pdu.ts';
import { compilePduFilter, type PduChoice } from '../pdu-filter.ts';
import { type PduRecord, pduRecord } from '../pdu-record.ts';
import type { PduHistory } from './pdu-history.ts';
import { PduHub, type PduSink } from './pdu-hub.ts';
import { PduStore, type StoredPdu } from './pdu-store.ts';

export interface PduQuery extends PduChoice {
  readonly after?: number | undefined;
}

export interface PduPageQuery extends PduChoice {
  readonly after: number;
  readonly limit: number;
  readonly maxBytes: number;
}

export interface PduServiceOptions {
  readonly events: ReaderHub;
  readonly clock: Clock;
  readonly selectorOf: (slot: number) => string;
  readonly nameOf: (slot: number) => string | null;
  readonly onDefect: (thrown: unknown) => void;
}

/**
 * Without clients the rings are read this often, instead of at every wake-up by a writer. A
 * ring that is full within this time loses events, which ends open transfers.
 */
const readMs = 250;

/** How late an event can be in its ring. */
const lateUs = 500_000;

const shapes = frameFlag.extended | frameFlag.remote | frameFlag.error | frameFlag.fd;

/** An ECU of the bench. One on LIN has 3C and 3D with its node address as address byte. */
export interface ListenedEcu {
  readonly pair: IsotpPair;
  readonly dids?: KnownDids | undefined;
}

const isFrom = ({ id, extended, address }: Pdu, from: IsotpAddress | null): boolean =>
  from !== null && id === from.id && extended === from.extended && address === from.addressByte;

const didsOf = (pdu: Pdu, ecus: readonly ListenedEcu[] = []): KnownDids | undefined =>
  ecus.find(({ pair: { request, response, functional } }) =>
    [request, response, functional].some((each) => isFrom(pdu, each)),
  )?.dids;

export const recordOf = ({ sequence, selector, name, pdu, dids }: StoredPdu): PduRecord =>
  pduRecord(pdu, { sequence, channel: pdu.channel, selector, channel_name: name }, dids);

/** Finds the PDUs of all open channels, keeps the newest, and streams them. */
export class PduService {
  readonly #options: PduServiceOptions;
  readonly #store = new PduStore();
  readonly #hub: PduHub;
  readonly #reassembler: Reassembler;
  readonly #isotp: IsotpListener;
  readonly #ecus = new Map<number, readonly ListenedEcu[]>();
  readonly #book = new AddressBook();
  #listeners: readonly ((stored: StoredPdu) => void)[] = [];
  #reading: SubscriptionHandle | undefined;
  #timer: Timer | undefined;
  #isDraining = false;
  #hasNew = false;

  constructor(options: PduServiceOptions) {
    this.#options = options;
    const { clock, selectorOf, nameOf, onDefect } = options;
    this.#hub = new PduHub(this.#store, clock, onDefect);
    const onPdu = (pdu: Pdu): void => {
      this.#hasNew = true;
      const { channel } = pdu;
      const stored = this.#store.add(
        pdu,
        selectorOf(channel),
        nameOf(channel),
        didsOf(pdu, this.#ecus.get(channel)),
      );
      for (const listener of this.#listeners) {
        try {
          listener(stored);
        } catch (thrown) {
          onDefect(thrown);
        }
      }
    };
    this.#reassembler = new Reassembler({ onPdu });
    this.#isotp = new IsotpListener({ onPdu });
  }

  start(): void {
    if (this.#timer) return;
    this.#read(0);
    this.#wait();
  }

  /** ECUs of the bench on an open channel, until it closes. They replace those before. */
  setEcus(slot: number, ecus: readonly ListenedEcu[]): void {
    this.#drain();
    this.#ecus.set(slot, ecus);
    this.#isotp.setPairs(
      slot,
      ecus.map(({ pair }) => pair),
    );
  }

  /** Addresses of the ECUs on a channel. */
  pairsOf(slot: number): readonly IsotpPair[] {
    return (this.#ecus.get(slot) ?? []).map(({ pair }) => pair);
  }

  /** Calls a decoder for every PDU, in order of sequence, from now on. */
  follow(listener: (stored: StoredPdu) => void): () => void {
    this.#drain();
    this.#listeners = [...this.#listeners, listener];
    this.#reading?.resume();
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** The stored PDU longer than a frame whose last frame is an event. */
  endingWith(eventId: number): StoredPdu | undefined {
    this.#drain();
    return this.#store.endingWith(eventId);
  }

  subscribe(query: PduQuery, channels: readonly number[] | null, sink: PduSink): void {
    const isWanted = compilePduFilter(query, channels);
    this.#drain();
    this.#hub.subscribe({
      after: query.after ?? null,
      accepts: ({ pdu }) => isWanted(pdu),
      sink,
    });
    this.#reading?.resume();
  }

  history(
    { after, limit, maxBytes, ...choice }: PduPageQuery,
    channels: readonly number[] | null,
  ): SlicedJson {
    const isWanted = compilePduFilter(choice, channels);
    this.#drain();
    this.#store.check(after);
    const { oldestAvailable, newestAvailable } = this.#store.bounds;
    const found: StoredPdu[] = [];
    let position = Math.max(after, newestAvailable);
    for (const stored of this.#store.after(after)) {
      if (!isWanted(stored.pdu)) continue;
      found.push(stored);
      if (found.length < limit) continue;
      position = stored.sequence;
      break;
    }
    const items = function* (): Generator<PduRecord> {
      for (const stored of found) yield recordOf(stored);
    };
    const rest = (count: number): Omit<PduHistory, 'pdus'> => ({
      next_after: count === found.length ? position : (found[count - 1]?.sequence ?? after),
      oldest_available: oldestAvailable,
      newest_available: newestAvailable,
    });
    return new ListPage({ list: 'pdus', maxBytes, items, after: rest });
  }

  /** Nodes by their claims. */
  nodes(channels: readonly number[] | null): J1939NodeRecord[] {
    this.#drain();
    const { clock, selectorOf } = this.#options;
    return this.#book
      .nodes(clock.unixUs())
      .filter(({ channel }) => channels?.includes(channel) ?? true)
      .map((node) => nodeRecord(node, selectorOf(node.channel)));
  }

  /** Called before the ring of a channel is removed. */
  channelClosing(slot: number): void {
    this.#drain();
    this.#reassembler.close(slot);
    this.#isotp.close(slot);
    this.#ecus.delete(slot);
    this.#book.close(slot);
    this.#deliver();
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#reading?.close();
    this.#reading = undefined;
    this.#hub.close();
  }

  #wait(): void {
    this.#timer = this.#options.clock.after(readMs, () => {
      this.#drain();
      this.#wait();
    });
  }

  #read(after: number | null): void {
    this.#reading = this.#options.events.subscribe({
      channels: null,
      after,
      capacity: wholeRing,
      sink: this.#sink(),
    });
  }

  #drain(): void {
    if (!this.#reading) return;
    this.#isDraining = true;
    const isUpToDate = this.#options.events.drain(this.#reading);
    this.#isDraining = false;
    if (isUpToDate) {
      const nowUs = this.#options.clock.unixUs() - lateUs;
      this.#reassembler.expire(nowUs);
      this.#isotp.expire(nowUs);
    }
    this.#deliver();
  }

  #deliver(): void {
    if (!this.#hasNew) return;
    this.#hasNew = false;
    this.#hub.wake();
  }

  get #isFollowed(): boolean {
    return this.#isDraining || this.#hub.streams > 0 || this.#listeners.length > 0;
  }

  #sink(): EventSink {
    const service = this;
    return {
      kind: 'decode',
      isInternal: true,
      get isReady() {
        return service.#isFollowed;
      },
      item: ({ view, bytes }, at) => {
        service.#take(view, bytes, at);
        return true;
      },
      gap: ({ oldestAvailable }) => service.#missed(oldestAvailable),
      flush: () => service.#deliver(),
      end: () => {
        // After a defect. What was missed is unknown.
        service.#reading = undefined;
        if (!service.#timer) return;
        try {
          service.#missed(0);
        } finally {
          service.#read(null);
        }
      },
    };
  }

  #missed(eventId: number): void {
    this.#reassembler.missed(eventId);
    this.#isotp.missed(eventId);
  }

  #take(view: DataView, bytes: Uint8Array, at: number): void {
    const flags = frm2Flags(view, at);
    const id = frm2Id(view, at);
    if ((flags & shapes) === frameFlag.extended) {
      const isClaim = !isPduId(id);
      if (!isClaim || isClaimId(id)) {
        if (frm2Bus(view, at) === busCode.lin || frm2Status(view, at) !== 0) return;
        if (isClaim) this.#takeClaim(id, view, bytes, at);
        else this.#takeJ1939(id, view, bytes, at);
        return;
      }
    }
    if (!this.#isotp.concerns(flags, id, bytes, at + frm2.payload)) return;
    if (frm2Status(view, at) !== 0) return;
    const { frame } = this.#isotp;
    frame.channel = frm2Channel(view, at);
    frame.kind = frm2EventKind(view, at);
    frame.id = id;
    frame.extended = (flags & frameFlag.extended) !== 0;
    frame.bytes = bytes;
    frame.at = at + frm2.payload;
    frame.length = frm2PayloadLength(view, at);
    frame.timestampUs = frm2TimestampUs(view, at);
    frame.eventId = frm2EventId(view, at);
    this.#isotp.take(frm2Bus(view, at));
  }

  #takeJ1939(id: number, view: DataView, bytes: Uint8Array, at: number): void {
    this.#reassembler.take(
      frm2Channel(view, at),
      frm2EventKind(view, at),
      id,
      bytes,
      at + frm2.payload,
      frm2PayloadLength(view, at),
      frm2TimestampUs(view, at),
      frm2EventId(view, at),
    );
  }

  #takeClaim(id: number, view: DataView, bytes: Uint8Array, at: number): void {
    this.#book.take(
      frm2Channel(view, at),
      id,
      bytes,
      at + frm2.payload,
      frm2PayloadLength(view, at),
      frm2TimestampUs(view, at),
      frm2EventId(view, at),
    );
  }
}
