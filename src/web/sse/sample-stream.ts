import { signalStream } from '../../operations/signal.ts';
import type { SampleSink } from '../../signal/live/sample-hub.ts';
import type { Sample, SignalSample } from '../../signal/live/sample-record.ts';
import type { SampleQuery } from '../../signal/service/signal-service.ts';
import type { SseEncoder, SseStream } from './sse-body.ts';

export const sampleEncoder: SseEncoder<Sample, string> = {
  item: (body, sample, plan_id) => {
    const record: SignalSample = { plan_id, ...sample };
    const data = JSON.stringify(record);
    return body.text(`id: ${sample.sequence}\nevent: sample\ndata: ${data}\n\n`);
  },
};

interface SampleSource {
  subscribe(query: SampleQuery, sink: SampleSink): unknown;
}

export const sampleStream = (signals: SampleSource): SseStream => ({
  operation: signalStream,
  greeting: 'samples follow',
  canResume: true,
  subscribe: (body, query) => signals.subscribe(query, body.sink(sampleEncoder)),
});
