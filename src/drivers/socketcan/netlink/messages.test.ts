import { describe, expect, it } from 'vitest';
import { attribute, nest, readAttributes, readText, text, words } from './attributes.ts';
import { encodeMessage, readAcknowledgement, splitMessages } from './messages.ts';
import { bytesOf } from './testing/recorded-messages.ts';

describe('attributes', () => {
  it('are padded, with a length that does not count the padding', () => {
    expect(attribute(3, text('can0'))).toEqual(bytesOf('0900 0300 63616e30 00 000000'));
  });

  it('nest with a mark that reading leaves out', () => {
    const bytes = nest(18, attribute(1, words(7)));
    expect(bytes).toEqual(bytesOf('0c00 1280 [ 0800 0100 07000000 ]'));
    expect([...readAttributes(bytes).keys()]).toEqual([18]);
  });

  it.each([
    ['cut off in the middle', '0800 0100 07000000 0800 0200 07'],
    ['shorter than their own header', '0800 0100 07000000 0300 0200'],
    ['followed by less than a header', '0800 0100 07000000 0800'],
  ])('are left out when they are %s', (_, hex) => {
    expect([...readAttributes(bytesOf(hex)).keys()]).toEqual([1]);
  });

  it('hold texts that need no end', () => {
    expect(readText(Buffer.from('vcan'))).toBe('vcan');
  });
});

describe('messages', () => {
  const acknowledged = bytesOf(
    '24000000 0200 0001 71000000 83000000 | 00000000 54000000 1000 0500 71000000 00000000',
  );

  it('are put behind their header', () => {
    const up = words(0, 2, 1, 1);
    expect(encodeMessage(16, 5, 0x70, up)).toEqual(
      bytesOf('20000000 1000 0500 70000000 00000000 | 00000000 02000000 01000000 01000000'),
    );
  });

  it('come several in one datagram, each at a multiple of four', () => {
    const odd = bytesOf('13000000 1000 0000 01000000 00000000 aabbcc 00');
    const messages = splitMessages(Buffer.concat([odd, acknowledged]));
    expect(messages.map(({ type, sequence, body }) => [type, sequence, body.length])).toEqual([
      [16, 1, 3],
      [2, 0x71, 20],
    ]);
  });

  it.each(['', '10000000', '0f000000 1000 0000 01000000 00000000'])(
    'are none in %j, which is cut off or makes no sense',
    (hex) => expect(splitMessages(bytesOf(hex))).toEqual([]),
  );

  const outcomeOf = (hex: string) => splitMessages(bytesOf(hex)).map(readAcknowledgement);

  it('acknowledge a request', () => {
    expect(splitMessages(acknowledged).map(readAcknowledgement)).toEqual([
      { errno: 0, text: undefined },
    ]);
  });

  it('refuse one with an errno', () => {
    expect(
      outcomeOf(`34000000 0200 0000 97000000 83000000 | f0ffffff
        20000000 1000 0500 97000000 00000000 | 00000000 02000000 00000000 00000000`),
    ).toEqual([{ errno: 16, text: undefined }]);
  });

  it.each([
    ['behind the whole request', '0002', '12000000', '0a0b 0000'],
    ['behind its header alone', '0003', '00000000', ''],
  ])('say more %s', (_, flags, requestLength, rest) => {
    const total = 16 + 4 + 16 + rest.replaceAll(' ', '').length / 2 + 12;
    const header = `${total.toString(16).padStart(2, '0')}000000 0200 ${flags} 01000000 00000000`;
    const request = `${requestLength} 1000 0500 01000000 00000000 ${rest}`;
    expect(outcomeOf(`${header} a1ffffff ${request} 0c00 0100 6e6f74206e6f77 00`)).toEqual([
      { errno: 95, text: 'not now' },
    ]);
  });

  it('say how a list ended', () => {
    expect(outcomeOf('14000000 0300 0200 01000000 00000000 ffffffff')).toEqual([
      { errno: 1, text: undefined },
    ]);
  });
});
