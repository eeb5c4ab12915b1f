import { csvCell } from '../../base/csv/csv-cell.ts';
import { eventObject } from '../../frame/event-json.ts';
import { frm2Channel, frm2Length } from '../../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import {
  type DecodedBatch,
  type EventRenderer,
  type StreamChannel,
  viewOf,
} from './event-renderer.ts';

const fields = [
  ...Object.keys(eventObject(new DataView(new ArrayBuffer(frm2SlotBytes)), 0, '')),
  'count',
];

export class EventCsv implements EventRenderer {
  readonly head: string;
  readonly #isDecoded: boolean;
  readonly #selectors = new Map<number, string>();

  constructor(isDecoded = false) {
    this.#isDecoded = isDecoded;
    const all = isDecoded ? [...fields, 'message', 'signals'] : fields;
    this.head = `${all.join(',')}\n`;
  }

  learn(channels: readonly StreamChannel[]): void {
    for (const { slot, selector } of channels) this.#selectors.set(slot, csvCell(selector));
  }

  render(batch: Uint8Array, decoded: DecodedBatch = []): string {
    const records = viewOf(batch);
    let text = '';
    let number = 0;
    for (let at = 0; at < batch.length; at += frm2Length(records, at)) {
      const slot = frm2Channel(records, at);
      // Only the selector can contain a comma or a quote.
      const selector = this.#selectors.get(slot) ?? String(slot);
      const { count = '', ...event } = eventObject(records, at, selector);
      text += `${Object.values(event).join(',')},${count}${this.#cellsOf(decoded[number++])}\n`;
    }
    return text;
  }

  #cellsOf(decoded: DecodedBatch[number] | undefined): string {
    if (!this.#isDecoded) return '';
    if (!decoded) return ',,';
    return `,${csvCell(decoded.message ?? '')},${csvCell(JSON.stringify(decoded.signals))}`;
  }

  gap(): null {
    return null;
  }
}
