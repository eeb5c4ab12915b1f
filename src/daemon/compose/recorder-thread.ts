import { SystemClock } from '../../base/clock/system-clock.ts';
import { type Port, RpcPort } from '../../base/threads/rpc-port.ts';
import { BrokerMemory } from '../../broker/broker-memory.ts';
import { readerBell } from '../../broker/doorbell.ts';
import { Recorder } from '../../recording/recorder.ts';
import { compressRecording, countEvents } from '../../recording/service/closed-recordings.ts';
import type { RecorderRpc, RecordingRpc } from '../../recording/service/recorder-contract.ts';
import { createAsc } from '../../trace/asc/asc-writer.ts';
import { createBlf } from '../../trace/blf/create-blf.ts';
import { createCandump } from '../../trace/candump/candump-writer.ts';
import { createMf4 } from '../../trace/mf4/create-mf4.ts';
import { DaemonLog } from '../lifecycle/daemon-log.ts';
import { benchPort, takeNiceness } from '../threads/priorities.ts';
import type { RecorderThreadData } from './thread-contracts.ts';

/**
 * Records channels into one file. Each recorder is a separate thread, so a slow disk blocks no
 * other thread.
 */
export const runRecorderThread = async (
  parentPort: Port,
  data: RecorderThreadData,
): Promise<void> => {
  const port = await benchPort(parentPort, data.realtime);
  const clock = new SystemClock(data.unixOffsetUs);
  const log = new DaemonLog(clock);
  const onDefect = (thrown: unknown): void => log.defect(thrown);
  takeNiceness('recorder');
  const { realtime, broker } = data;
  const { reader, channels } = broker;
  const memory = new BrokerMemory(broker.memory);
  const recorder = new Recorder({
    memory,
    bell: readerBell({ memory, reader, clock, realtime }),
    clock,
    channels,
    projectRoot: data.projectRoot,
    writers: { asc: createAsc, blf: createBlf, candump: createCandump, mf4: createMf4 },
    compress: compressRecording,
    count: countEvents,
    onProgress: (record) => void bench.progress(record),
    onEnded: (record) => void bench.ended(record),
    onDefect,
  });
  const offer: RecorderRpc = {
    begin: (request) => recorder.begin(request),
    channelOpening: (entry) => recorder.open(entry),
    channelClosed: (slot) => recorder.close(slot),
    record: () => recorder.record(),
    consumersOf: (slot) => recorder.consumersOf(slot),
    finish: () => recorder.finish(),
    settled: () => recorder.settled(),
  };
  const bench = new RpcPort<RecordingRpc>(port, offer, onDefect).remote;
  void bench.ready();
};
