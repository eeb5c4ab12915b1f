import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import { benchShow } from '../../operations/bench.ts';
import {
  channelClose,
  channelConfigure,
  channelList,
  channelOpen,
  channelRecover,
  channelShow,
} from '../../operations/channel.ts';
import { deviceFirmwareCheck, deviceList } from '../../operations/device.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { jobList, jobShow } from '../../operations/job.ts';
import { mostBatch } from '../../operations/limits.ts';
import { channelWake, messageSend } from '../../operations/message.ts';
import { channelTraffic } from '../../operations/traffic.ts';
import type { Sender } from '../../transmit/sender.ts';
import type { FirmwareChecks } from '../jobs/firmware-checks.ts';
import type { JobRunner } from '../jobs/job-runner.ts';

interface BenchContext {
  readonly channels: ChannelTable;
  readonly sender: Sender;
  readonly jobs: JobRunner;
  readonly firmware: FirmwareChecks;
  /** The bench that a caller has chosen. */
  readonly benchOf: (caller: Caller) => BenchSource;
}

/** Binds the operations that the bench thread carries out. */
export const bindBenchOperations = (dispatcher: Dispatcher, context: BenchContext): void => {
  const { channels, sender, jobs, firmware, benchOf } = context;
  dispatcher
    .bind(jobList, () => ({ jobs: [...jobs.list()] }))
    .bind(jobShow, ({ arguments: { job_id } }) => jobs.get(job_id))
    .bind(benchShow, ({ caller }) => benchOf(caller)())
    .bind(deviceList, async () => ({ devices: await channels.devices() }))
    .bind(deviceFirmwareCheck, ({ arguments: { selector }, caller }) =>
      firmware.queue(selector, benchOf(caller)),
    )
    .bind(channelList, () => ({ channels: channels.channels.map((channel) => channel.record()) }))
    .bind(channelTraffic, ({ arguments: { after_us } }) => ({
      channels: channels.channels.map((channel) => channel.traffic(after_us)),
    }))
    .bind(channelOpen, ({ arguments: request, caller }) => channels.open(request, benchOf(caller)))
    .bind(channelShow, async ({ arguments: { selector }, caller }) =>
      (await channels.find(selector, benchOf(caller))).channel.record(),
    )
    .bind(channelConfigure, ({ arguments: { selector, ...change }, caller }) =>
      channels.configure(selector, change, benchOf(caller)),
    )
    .bind(channelClose, ({ arguments: { selector }, caller }) =>
      channels.close(selector, benchOf(caller)),
    )
    .bind(channelRecover, ({ arguments: { selector }, caller }) =>
      channels.recover(selector, benchOf(caller)),
    )
    .bind(channelWake, async ({ arguments: { selector, ...request }, caller }) => {
      const found = await channels.use(selector, benchOf(caller));
      return sender.wakeUp(found, request, { signal: caller.signal });
    })
    .bind(messageSend, async ({ arguments: request, caller }) => {
      const found = await channels.use(request.channel, benchOf(caller));
      return sender.send(found, request, {
        ...mostBatch[caller.face],
        onProgress: caller.report,
        signal: caller.signal,
      });
    });
};
