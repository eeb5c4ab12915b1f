import { type EventStatus, eventStatus } from '../../drivers/event-status.ts';
import { candumpLine } from '../../frame/candump-text.ts';
import { decodedText } from '../../frame/decoded-frame.ts';
import { eventObject } from '../../frame/event-json.ts';
import {
  frm2Channel,
  frm2EventKind,
  frm2Flags,
  frm2Length,
  frm2Status,
  frm2TimestampUs,
} from '../../frame/frm2-codec.ts';
import { eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { formatNotation } from '../../frame/notation.ts';
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

const notFrames =
  frameFlag.error |
  frameFlag.checksumError |
  frameFlag.noResponse |
  frameFlag.syncBreak |
  frameFlag.wakeUp;

/** Starts a line that `message send --file` skips. */
export const comment = '# ';

/** Lines as candump prints them; with notation as `candump -L -x`, errors as comments. */
export class EventText implements EventRenderer {
  readonly head = '';
  readonly #names = new Map<number, string>();
  readonly #marks = new Map<number, string>();
  readonly #time: EventTime;
  readonly #isNotation: boolean;
  #nameWidth = 0;

  constructor(style?: TimeStyle, isNotation = false) {
    this.#time = new EventTime(style);
    this.#isNotation = isNotation;
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
    const status = frm2Status(records, at);
    const slot = frm2Channel(records, at);
    const name = this.#names.get(slot) ?? String(slot);
    const isSent = frm2EventKind(records, at) === eventKindCode.tx_complete;
    const time = this.#time.of(frm2TimestampUs(records, at));
    if (this.#isNotation && status === eventStatus.ok && (flags & notFrames) === 0) {
      const frame = formatNotation(eventObject(records, at, name));
      return `${time} ${name.replaceAll(/\s+/g, '_')} ${frame} ${isSent ? 'T' : 'R'}`;
    }
    const source = `${name.padEnd(this.#nameWidth)}  ${isSent ? 'TX' : 'RX'}`;
    const line = `${time}${candumpLine(source, records, at)}${this.#marksFor(flags, status)}`;
    return this.#isNotation ? comment + line : line;
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
