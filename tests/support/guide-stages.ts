import { onTestFinished } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { seededRandom } from '../../src/base/testing/seeded-random.ts';
import { LiveWire } from '../../src/drivers/lin-uart/testing/live-wire.ts';
import { dialects, EmulatedAdapter } from '../../src/drivers/slcan/testing/emulated-adapter.ts';
import { EmulatedBus } from '../../src/drivers/slcan/testing/emulated-bus.ts';
import { SerialSocket } from '../../src/drivers/slcan/testing/serial-socket.ts';
import type { GuidePlace } from './guide-run.ts';

/** The name of a device without a serial number, derived from its path. */
const wordOf = (path: string): string => path.slice(1).replaceAll('/', '-');

/** Ports with other names than in a guide. */
const renamed = (paths: ReadonlyMap<string, string>): GuidePlace => ({
  here: (command) => {
    let changed = command;
    for (const [shown, path] of paths) changed = changed.replaceAll(shown, path);
    return changed;
  },
  there: (reported) => {
    let changed = reported;
    for (const [shown, path] of paths) {
      const [bare = path] = path.split(',');
      changed = changed.replaceAll(bare, shown).replaceAll(wordOf(bare), wordOf(shown.slice(4)));
    }
    // A pseudo terminal is named by its number.
    return changed.replaceAll(/(serial-\S+ +)\d+ +(?=slcan)/g, '$10  ');
  },
});

/** The emulated adapter listed in the slcan guide. */
export const stageSlcanAdapter = async (): Promise<GuidePlace> => {
  const clock = new SystemClock();
  const socket = new SerialSocket(seededRandom(11));
  onTestFinished(() => socket.remove());
  const adapter = new EmulatedAdapter({
    dialect: dialects.fd,
    bus: new EmulatedBus(),
    serial: 'C0DE',
    write: socket.say,
    nowUs: () => clock.monotonicUs(),
  });
  await socket.plug(adapter);
  return renamed(
    new Map([
      ['/dev/can-chassis', socket.path],
      ['/dev/ttyUSB0', `${socket.folder}/nothing`],
    ]),
  );
};

/** The two emulated nodes of the LIN adapter guide, which a busy machine may delay. */
export const stageLinAdapters = async (): Promise<GuidePlace> => {
  const wire = new LiveWire(seededRandom(13));
  onTestFinished(() => wire.remove());
  const [door, seat] = [await wire.addSocket(), await wire.addSocket()];
  const place = renamed(
    new Map([
      ['/dev/lin-door', `${door.path},slack_ms=500`],
      ['/dev/lin-seat', seat.path],
    ]),
  );
  return {
    ...place,
    here: (command) => place.here(command.replace('slack_ms=20', 'slack_ms=500')),
  };
};
