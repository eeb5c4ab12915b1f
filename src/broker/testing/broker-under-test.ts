/** The exports of a bundled broker that tests use. */
export { Broker } from '../broker.ts';
export { MergedReader } from '../merged-reader.ts';
export { Publisher } from '../publisher.ts';
export { RingReader } from '../ring-reader.ts';
export { RingView } from '../ring-view.ts';
export { RingWriter } from '../ring-writer.ts';
export { Ledger } from './ledger.ts';
export { openSamples, publishSamples } from './sample-records.ts';
