import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { LinkControl } from './link-control.ts';
import { encodeMessage, messageType } from './netlink/messages.ts';
import { acknowledgement, FakeCalls } from './netlink/testing/fake-calls.ts';
import { controllerDown, controllerUp } from './netlink/testing/recorded-messages.ts';
import { exampleInterface } from './testing/fake-interfaces.ts';

const link = { ...exampleInterface, sn: 'can0', index: 2 };
const upFlag = 1;

it('leaves an interface up that was, also after changes that could not be undone at once', async () => {
  let isUp = true;
  let comesUp = false;
  const calls = new FakeCalls();
  calls.answer = ({ type, sequence, body }) => {
    if (type === messageType.getLink) {
      const { body: reported } = isUp ? controllerUp : controllerDown;
      return [encodeMessage(messageType.newLink, 2, sequence, reported), acknowledgement(sequence)];
    }
    const takesUp = (body.readUInt32LE(8) & upFlag) !== 0;
    if (takesUp && !comesUp) return [acknowledgement(sequence, constants.errno.ETIMEDOUT)];
    isUp = takesUp;
    return [acknowledgement(sequence)];
  };
  const control = new LinkControl({ clock: new FakeClock(), txQueue: 512, calls, mayChange: true });
  const settings = { bus: 'can', mode: 'normal' } as const;
  await expect(control.run(link, { ...settings, bitrate: 125_000 })).rejects.toThrow('not respond');
  expect(isUp).toBe(false);
  comesUp = true;
  await control.run(link, { ...settings, bitrate: 500_000 });
  expect(isUp).toBe(true);
  await control.release(link);
  expect(isUp).toBe(true);
  control.close();
});
