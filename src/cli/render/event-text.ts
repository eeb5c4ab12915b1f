import { type EventStatus, eventStatus } from '../../drivers/event-status.ts';
import { candumpLine } from '../../frame/candump-text.ts';
import { decodedText } from '../../frame/decoded-frame.ts';
import {
  frm2Channel,
  frm2EventKind,
  frm2Flags,
  frm2Length,
  frm2Status,
  frm2TimestampUs,
} from '../../frame/frm2-codec.ts';
import { eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { TimeStyle } from '../../operations/message-schemas.ts';
import {
  type DecodedBatch,
  type EventRenderer,
  type StreamChannel,
  viewOf,
} from './event-renderer.ts';
import { EventTime } from './event-time.ts';

const markedFlags = {
  BRS: frameFlag.brs,
  ESI: frameFlag.esi,
  'CHECKSUM-ERROR': frameFlag.checksumError,
  'NO-RESPONSE': frameFlag.noResponse,
  'SYNC-BREAK': frameFlag.syncBreak,
  'WAKE-UP': frameFlag.wakeUp,
  SLEEP: frameFlag.sleep,
} as const;

const statusMark = (status: number): string => {
  const name = (Object.keys(eventStatus) as EventStatus[]).find(
    (known) => eventStatus[known] === status,
  );
  return name ? name.replaceAll('_', '-').toUpperCase() : `STATUS-${status}`;
};

const marksOf = (flags: number, status: number): string => {
  const marks = Object.entries(markedFlags)
    .filter(([, bit]) => (flags & bit) !== 0)
    .map(([mark]) => mark);
  // Some statuses equal a flag.
  if (status !== eventStatus.ok && !marks.includes(statusMark(status))) {
    marks.push(statusMark(status));
  }
  return marks.map((mark) => ` ${mark}`).join('');
};

export class EventText implements EventRenderer {
  readonly head = '';
  readonly #names = new Map<number, string>();
  readonly #marks = new Map<number, string>();
  readonly #time: EventTime;
  #nameWidth = 0;

  constructor(style?: TimeStyle) {
    this.#time = new EventTime(style);
  }

  learn(channels: readonly StreamChannel[]): void {
    for (const { slot, selector, name } of channels) {
      const shown = name ?? selector;
      this.#names.set(slot, shown);
      this.#nameWidth = Math.max(this.#nameWidth, shown.length);
    }
  }

  render(batch: Uint8Array, decoded: DecodedBatch = []): string {
    const records = viewOf(batch);
    let text = '';
    let number = 0;
    for (let at = 0; at < batch.length; at += frm2Length(records, at)) {
      text += `${this.#lineOf(records, at)}${decodedText(decoded[number++])}\n`;
    }
    return text;
  }

  gap(): null {
    return null;
  }

  #lineOf(records: DataView, at: number): string {
    const flags = frm2Flags(records, at);
    const slot = frm2Channel(records, at);
    const name = (this.#names.get(slot) ?? String(slot)).padEnd(this.#nameWidth);
    const isSent = frm2EventKind(records, at) === eventKindCode.tx_complete;
    const frame = candumpLine(`${name}  ${isSent ? 'TX' : 'RX'}`, records, at);
    const marks = this.#marksFor(flags, frm2Status(records, at));
    return `${this.#time.of(frm2TimestampUs(records, at))}${frame}${marks}`;
  }

  #marksFor(flags: number, status: number): string {
    const key = status * 0x1_0000_0000 + flags;
    let marks = this.#marks.get(key);
    if (marks === undefined) {
      const words = marksOf(flags, status);
      marks = words === '' ? '' : ` ${words}`;
      this.#marks.set(key, marks);
    }
    return marks;
  }
}
