import { SystemClock } from '../../base/clock/system-clock.ts';
import { niceThisThread } from '../../base/native/this-thread.ts';
import { CallPort, type Port } from '../../base/threads/call-port.ts';
import { BrokerMemory } from '../../broker/broker-memory.ts';
import { Doorbell } from '../../broker/doorbell.ts';
import { PolledBell } from '../../broker/polled-bell.ts';
import { Recorder } from '../../recording/recorder.ts';
import type { RecorderOffer, RecordingOffer } from '../../recording/service/recorder-contract.ts';
import { createAsc } from '../../trace/asc/asc-writer.ts';
import { DaemonLog } from '../lifecycle/daemon-log.ts';
import { benchPort } from '../threads/priority-ceiling.ts';
import type { RecorderThreadData } from './thread-contracts.ts';

/** Before clients, which can ask again; behind deadlines. */
const recorderNiceness = 3;

/** Records channels into a file, in a thread that lives for this file only. A slow disk holds up no other thread. */
export const runRecorderThread = async (
  parentPort: Port,
  data: RecorderThreadData,
): Promise<void> => {
  const port = await benchPort(parentPort, data.realtime);
  const clock = new SystemClock(data.unixOffsetUs);
  const log = new DaemonLog(clock);
  const onDefect = (thrown: unknown): void => log.defect(thrown);
  niceThisThread(recorderNiceness);
  const memory = new BrokerMemory(data.broker.memory);
  const recorder = new Recorder({
    memory,
    bell: data.realtime ? new PolledBell(clock) : new Doorbell(memory, data.broker.reader),
    clock,
    channels: data.broker.channels,
    projectRoot: data.projectRoot,
    createTrace: createAsc,
    onProgress: (record) => void bench.progress(record),
    onEnded: (record) => void bench.ended(record),
    onDefect,
  });
  const offer: RecorderOffer = {
    begin: (request) => recorder.begin(request),
    channelOpening: (entry) => recorder.open(entry),
    channelClosed: (slot) => recorder.close(slot),
    record: () => recorder.record(),
    consumersOf: (slot) => recorder.consumersOf(slot),
    finish: () => recorder.finish(),
  };
  const bench = new CallPort<RecordingOffer>(port, offer, onDefect).remote;
  void bench.ready();
};
