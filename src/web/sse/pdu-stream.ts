import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { Caller } from '../../operations/dispatcher.ts';
import { pduStream as operation } from '../../operations/pdu.ts';
import type { PduSink } from '../../pdu/service/pdu-hub.ts';
import { type PduQuery, recordOf } from '../../pdu/service/pdu-service.ts';
import type { StoredPdu } from '../../pdu/service/pdu-store.ts';
import type { SseEncoder, SseStream } from './sse-body.ts';

const encoder: SseEncoder<StoredPdu, number> = {
  item: (body, stored, sequence) =>
    body.text(`id: ${sequence}\nevent: pdu\ndata: ${stringifyJson(recordOf(stored))}\n\n`),
};

interface PduSource {
  subscribe(query: PduQuery, channels: readonly number[] | null, sink: PduSink): void;
}

interface ChannelNames {
  resolve(
    selectors: readonly string[] | undefined,
    caller: Caller,
  ): Promise<readonly number[] | null>;
}

const caller: Caller = { face: 'http', project: null };

export const pduStream = (pdus: PduSource, channels: ChannelNames): SseStream => ({
  operation,
  greeting: 'PDUs follow',
  canResume: true,
  subscribe: async (body, query: PduQuery & { readonly channel?: readonly string[] }) => {
    const slots = await channels.resolve(query.channel, caller);
    pdus.subscribe(query, slots, body.sink(encoder));
  },
});
