import { maxFdLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { channelKeyAt } from '../../trace/channel-key.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { eventsPerBatch, type TraceProgress } from '../../trace/trace-summary.ts';
import { ChannelDecoder } from '../decode/channel-decoder.ts';
import { ChosenMessages } from '../decode/chosen-messages.ts';
import { eventTimeUs } from '../decode/chunk-decoder.ts';
import type { DecodeSettings } from '../decode/decode-settings.ts';
import type { LongPayload } from '../decode/long-payloads.ts';
import type { MessageSampler } from '../decode/message-sampler.ts';
import { isDecodable } from '../decode/sample-frames.ts';
import type { TraceSignals } from '../table-records.ts';
import { inputFieldsOf } from './decode-tally.ts';
import { MessageStatistics } from './signal-statistics.ts';
import { type ChunkSource, TraceChunks } from './trace-chunks.ts';

const shownUnknown = 20;

export interface SummarizeOptions extends ChunkSource {
  readonly file: string;
  readonly settings: Pick<DecodeSettings, 'databases' | 'signals'>;
}

/** Counts, cycles and ranges of the messages in a trace. */
export const summarizeSignals = async (
  { file, settings, ...source }: SummarizeOptions,
  onProgress: TraceProgress,
): Promise<TraceSignals> => {
  const messages = new ChosenMessages({ ...settings, format: 'csv', wide: false, everyUs: null });
  const decoder = new ChannelDecoder(messages, messages.maxSignals, null);
  const chunks = new TraceChunks(source, messages);
  const { samples } = decoder;
  const batch = new TraceBatch(eventsPerBatch);
  const view = new DataView(batch.buffer, batch.payload.byteOffset, batch.payload.length);
  const statistics = new Map<MessageSampler, MessageStatistics>();
  const statisticsOf = (sampler: MessageSampler): MessageStatistics => {
    const known = statistics.get(sampler);
    if (known) return known;
    const made = new MessageStatistics(sampler, samples.series);
    statistics.set(sampler, made);
    return made;
  };
  let outside = 0;
  let unusable = 0;
  while (chunks.next(batch)) {
    const { startUnixUs, fromUs, toUs } = chunks.times;
    const { long } = chunks;
    let nextLong = 0;
    for (let row = 0; row < batch.count; row++) {
      const timeUs = eventTimeUs(startUnixUs, batch.timeNs[row] as number);
      if (timeUs < fromUs || timeUs >= toUs) {
        outside++;
        continue;
      }
      if (!isDecodable(batch, row)) {
        unusable++;
        continue;
      }
      const key = channelKeyAt(batch, row);
      samples.clear();
      const sampler = decoder.decode(
        key,
        chunks.names,
        batch.id[row] as number,
        ((batch.flags[row] as number) & frameFlag.extended) !== 0,
        view,
        row * maxFdLength,
        batch.length[row] as number,
        timeUs,
        row,
      );
      if (sampler) statisticsOf(sampler).take(timeUs, samples);
      while (nextLong < long.length && (long[nextLong] as LongPayload).row < row) nextLong++;
      const payload = long[nextLong];
      if (payload?.row !== row) continue;
      samples.clear();
      const whole = decoder.decodeLong(key, chunks.names, payload, timeUs);
      if (whole) statisticsOf(whole).take(timeUs, samples);
    }
    await onProgress(chunks.position);
  }
  chunks.checkChannels(settings.databases);
  const { unknown } = decoder;
  return {
    ...inputFieldsOf(file, source.reader, chunks, messages, {
      decoded: decoder.decoded,
      pdus: decoder.pdus,
      not_selected: decoder.notChosen,
      outside,
      unusable,
      unknown: unknown.frames,
      unknown_ids: unknown.ids,
      most_unknown: unknown.top(shownUnknown),
    }),
    messages: [...statistics.values()]
      .map(({ record }) => record)
      .sort(
        (one, other) =>
          one.channel.localeCompare(other.channel) || one.message.localeCompare(other.message),
      ),
  };
};
