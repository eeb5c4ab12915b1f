import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Bench } from '../../bench/bench-record.ts';
import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import { checkFirmware } from '../../bench/firmware/check-firmware.ts';
import type { FoundFirmwareIndex } from '../../bench/firmware/read-firmware-index.ts';
import type { Job } from '../../operations/job.ts';
import type { JobRunner } from './job-runner.ts';

/** Rejects on abort, since the server can take long. */
const unless = <T>(signal: AbortSignal, answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(new BusbarError('operation_cancelled'));
    signal.addEventListener('abort', leave, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });

interface FirmwareChecksOptions {
  readonly channels: ChannelTable;
  readonly jobs: JobRunner;
  readonly readIndex: (bench: Bench) => Promise<FoundFirmwareIndex>;
}

export class FirmwareChecks {
  readonly #options: FirmwareChecksOptions;

  constructor(options: FirmwareChecksOptions) {
    this.#options = options;
  }

  /** Rejects an unknown device; the job detects other errors. */
  async queue(selector: string, bench: BenchSource): Promise<Job> {
    const { channels, jobs, readIndex } = this.#options;
    const devices = await channels.devices();
    const device =
      devices.find(({ sn }) => sn === selector) ?? devices.find(({ uid }) => uid === selector);
    if (!device) {
      throw new BusbarError('device_not_found', { details: { field: 'selector', selector } });
    }
    return jobs.submit('firmware_check', device.sn, async (signal) => {
      const { index, firmware } = await unless(signal, readIndex(await bench()));
      return checkFirmware(device, firmware, index);
    });
  }
}
