import type { Message } from '../../../database/model.ts';
import { aMessage, aSignal } from '../../testing/models.ts';

const onPage = (page: number) => ({
  switch: 'Page',
  ranges: [{ from: BigInt(page), to: BigInt(page) }],
});

/** `Page` in byte 0 and `Always` in byte 3; on page 0 `A0` and `B0` in bytes 1 and 2, on 1 `A1`. */
export const pagedMessage = (given: Partial<Message> = {}): Message => ({
  ...aMessage([
    aSignal({ name: 'Page', isSwitch: true }),
    aSignal({ name: 'A0', startBit: 8, multiplexing: onPage(0) }),
    aSignal({ name: 'A1', startBit: 8, multiplexing: onPage(1) }),
    aSignal({ name: 'B0', startBit: 16, multiplexing: onPage(0) }),
    aSignal({ name: 'Always', startBit: 24 }),
  ]),
  ...given,
});
