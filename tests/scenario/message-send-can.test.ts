import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { type EventView, shareChannelBench } from './support/channel-bench.ts';

const bench = shareChannelBench(async (own) => {
  await own.open('SIM00001/0', { name: 'sender' });
  await own.open('SIM00001/1', { name: 'peer' });
}, null);

const flag = { extended: 1, remote: 2, fd: 4, brs: 8, esi: 16 };
const bytes = (length: number): string =>
  Array.from({ length }, (_, i) => ((i * 7 + 1) & 0xff).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

/** Request fields without the channel, and the frame that the peer receives. */
const frames: [request: object, received: object][] = [
  [{ id: 0 }, { bus: 'can', id: 0, dlc: 0, data: '', flags: 0 }],
  [
    { type: 'data', id: 0x7ff, data: bytes(8) },
    { id: 0x7ff, dlc: 8, data: bytes(8), flags: 0 },
  ],
  [
    { id: 0x123, data: 'de:ad-be.ef' },
    { dlc: 4, data: 'DEADBEEF' },
  ],
  [
    { id: 0x123, data: ' 01 02  03 ' },
    { dlc: 3, data: '010203' },
  ],
  [
    { id: 0x18ff50e5, extended: true, data: '01' },
    { id: 0x18ff50e5, extended: true, flags: flag.extended, data: '01' },
  ],
  [
    { id: 1, extended: true },
    { id: 1, extended: true, flags: flag.extended },
  ],
  [
    { type: 'remote', id: 0x123, dlc: 4 },
    { bus: 'can', remote: true, dlc: 4, data: '', flags: flag.remote },
  ],
  [
    { type: 'remote', id: 0x1fffffff, extended: true },
    { id: 0x1fffffff, flags: 3, dlc: 0 },
  ],
  ...[9, 10, 11, 12, 13, 14, 15].map((dlc): [object, object] => [
    { id: 0x100 + dlc, dlc, data: bytes(8) },
    { bus: 'can', id: 0x100 + dlc, dlc, data: bytes(8), fd: false },
  ]),
  ...[0, 8, 12, 16, 20, 24, 32, 48, 64].map((length, index): [object, object] => [
    { id: length, fd: true, data: bytes(length) },
    { bus: 'canfd', fd: true, flags: flag.fd, data: bytes(length), dlc: index && index + 7 },
  ]),
  [
    { id: 5, fd: true, brs: true, data: '0102' },
    { bus: 'canfd', fd: true, brs: true, esi: false, dlc: 2, flags: flag.fd | flag.brs },
  ],
  [
    { id: 5, fd: true, esi: true, extended: true, dlc: 9, data: bytes(12) },
    { bus: 'canfd', esi: true, extended: true, dlc: 9, flags: flag.fd | flag.esi | flag.extended },
  ],
];

/** Sends and returns the single event that the peer has received since. */
const receivedFrom = async (send: () => Promise<unknown>): Promise<EventView> => {
  const newest = async () => (await bench.events('peer')).at(-1)?.event_id ?? 0;
  const before = await newest();
  await send();
  await eventually(async () => (await newest()) > before);
  const events = await bench.events('peer', before);
  expect(events).toHaveLength(1);
  return events[0] as EventView;
};

const common = { kind: 'rx_frame', selector: 'SIM00001/1', channel: 1, error: false, status: 0 };

describe('a CAN or CAN FD frame that is sent over HTTP', () => {
  it.each(frames)('is what the peer receives: %j', async (request, received) => {
    const event = await receivedFrom(async () => {
      const answer = await bench.send({ channel: 'SIM00001/0', ...request });
      expect([answer.status, answer.json()]).toEqual([
        200,
        {
          accepted: 1,
          channel: 'SIM00001/0',
          selector_kind: 'serial',
          slot: 0,
          resolved: null,
          response: null,
        },
      ]);
    });
    expect(event).toMatchObject({ ...common, ...received });
    const [sent] = (await bench.events('sender')).slice(-1);
    expect(sent).toMatchObject({ ...received, kind: 'tx_complete', channel: 0, status: 0 });
  });
});

/** Short notation, and the received frame. */
const notations: [text: string, received: object][] = [
  ['123#DEADBEEF', { bus: 'can', id: 0x123, extended: false, dlc: 4, data: 'DEADBEEF', flags: 0 }],
  ['123#', { dlc: 0, data: '' }],
  ['123#de.ad.be.ef', { data: 'DEADBEEF' }],
  ['18FF50E5#0102', { id: 0x18ff50e5, extended: true, data: '0102' }],
  ['00000123#', { id: 0x123, extended: true }],
  ['123#R', { remote: true, dlc: 0, data: '' }],
  ['123#R4', { remote: true, dlc: 4, data: '' }],
  ['123#R8_C', { remote: true, dlc: 12, data: '' }],
  ['123##0AABB', { bus: 'canfd', fd: true, brs: false, esi: false, dlc: 2, data: 'AABB' }],
  ['123##3AABB', { bus: 'canfd', fd: true, brs: true, esi: true, data: 'AABB' }],
  [`18FF50E5##1${bytes(64)}`, { extended: true, brs: true, dlc: 15, data: bytes(64) }],
  ['123#1122334455667788_E', { bus: 'can', dlc: 14, data: '1122334455667788' }],
];

describe('a CAN or CAN FD frame that is sent on the command line', () => {
  it.each(notations)('may be given in short: %s', async (text, received) => {
    const event = await receivedFrom(async () => {
      expect(await bench.json('message', 'send', 'sender', text)).toEqual({
        accepted: 1,
        channel: 'sender',
        selector_kind: 'name',
        slot: 0,
        resolved: null,
        response: null,
      });
    });
    expect(event).toMatchObject({ ...common, ...received });
  });

  it('may be given by its fields, with the identifier in hex as it is printed', async () => {
    const options: [args: string[], received: object][] = [
      [['--id=0x1F0', '--data=DE AD'], { id: 0x1f0, data: 'DEAD' }],
      [['--id=1F0', '--dlc=9', `--data=${bytes(8)}`], { id: 0x1f0, dlc: 9, data: bytes(8) }],
      [['--id=0X1ffffFFF', '--extended', '--type=remote', '--dlc=8'], { id: 0x1fffffff, dlc: 8 }],
      [['--id=123', '--data=00'], { id: 0x123, extended: false }],
      [['--id=18ff50e5', '--data=00'], { id: 0x18ff50e5, extended: true }],
      [['--id=1', '--fd', '--brs', '--esi=false', '--data=00'], { brs: true, esi: false }],
    ];
    for (const [args, received] of options) {
      const event = await receivedFrom(() => bench.json('message', 'send', '0', ...args));
      expect(event).toMatchObject(received);
    }
  });
});
