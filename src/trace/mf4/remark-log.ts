import { channelOfKey } from '../channel-key.ts';
import { setTimeNs } from '../uint64.ts';
import { type Block, BlockChain, markupText } from './block-chain.ts';
import { event, markerEvent, nsPerSecond, timeSync, toolCause } from './mf4-layout.ts';

/** Events are kept until the end, so their number is bounded; their records are not. */
const maxEvents = 10_000;
const maxKeptText = 2000;

interface Remark {
  readonly timeNs: number;
  readonly text: string;
}

const eventData = (timeNs: number): Uint8Array => {
  const bytes = new Uint8Array(event.end);
  const view = new DataView(bytes.buffer);
  view.setUint8(event.type, markerEvent);
  view.setUint8(event.sync, timeSync);
  view.setUint8(event.cause, toolCause);
  setTimeNs(view, event.syncBase, timeNs);
  view.setFloat64(event.syncFactor, 1 / nsPerSecond, true);
  return bytes;
};

const nameOf = (key: number, name: string): string => {
  const { bus, channel } = channelOfKey(key);
  const label = `${bus === 'lin' ? 'LIN' : 'CAN'} ${channel}`;
  return `<e name="${label}" type="string">${markupText(name)}</e>`;
};

/** Remarks and channel names of a file, which its other readers find at its end. */
export class RemarkLog {
  readonly #remarks: Remark[] = [];
  readonly #names = new Map<number, string>();
  #kept = 0;

  note(timeNs: number, text: string): void {
    if (this.#remarks.length === maxEvents) return;
    this.#remarks.push({ timeNs, text: text.slice(0, maxKeptText) });
  }

  name(key: number, name: string): void {
    this.#names.set(key, name);
  }

  keep(): void {
    this.#kept = this.#remarks.length;
  }

  discard(): void {
    this.#remarks.length = this.#kept;
  }

  /** The blocks for the end of a file, and where in the file they begin. */
  blocksAt(start: number): { bytes: Uint8Array; eventAt: number; commentAt: number } {
    const chain = new BlockChain();
    const events = this.#remarks.map(({ timeNs, text }) => {
      const comment = chain.addMarkup(`<EVcomment><TX>${markupText(text)}</TX></EVcomment>`);
      const links: (Block | number)[] = Array(event.links.count).fill(0);
      links[event.links.comment] = comment;
      return chain.add('##EV', links, eventData(timeNs));
    });
    events.forEach((each, index) => {
      each.links[event.links.next] = events[index + 1] ?? 0;
    });
    const comment = this.#names.size > 0 ? chain.addMarkup(this.#fileComment()) : undefined;
    const bytes = chain.bytesAt(start);
    return { bytes, eventAt: events[0]?.at ?? 0, commentAt: comment?.at ?? 0 };
  }

  #fileComment(): string {
    const names = [...this.#names].map(([key, name]) => nameOf(key, name));
    return `<HDcomment><TX></TX><common_properties>${names.join('')}</common_properties></HDcomment>`;
  }
}
