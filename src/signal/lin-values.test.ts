import { describe, expect, it } from 'vitest';
import { readLdf } from '../database/ldf/read-ldf.ts';
import type { Message } from '../database/model.ts';
import { compileDecoder } from './compile-decoder.ts';
import { compileEncoder } from './compile-encoder.ts';
import { MessageEncoder } from './encode/message-encoder.ts';
import { SampleText } from './sample-text.ts';
import { ValueInput } from './value-input.ts';

const { database } = readLdf(
  new TextEncoder().encode(`LIN_description_file;
LIN_protocol_version = "2.1";
Nodes { Master: M, 5 ms, 1 ms; Slaves: A, B; }
Signals {
  Battery: 8, 0, M; Light: 8, 0, M; Resistance: 16, 0, M; Mode: 2, 0, M; Rpm: 12, 0, M;
  Digits: 16, {0, 0}, M; Name: 16, {65, 66}, M; Bytes: 40, {5, 4, 3, 2, 1}, M; Plain: 6, 0, M;
  Door: 8, 0, A; Seat: 8, 0, B;
}
Frames {
  Scalars: 1, M, 8 { Battery, 0; Light, 8; Resistance, 16; Mode, 32; Rpm, 34; Plain, 48; }
  Arrays: 2, M, 8 { Bytes, 0; Digits, 40; }
  Text: 3, M, 2 { Name, 0; }
  DoorState: 4, A, 2 { Door, 8; }
  SeatState: 5, B, 2 { Seat, 8; }
}
Event_triggered_frames { Changes: Poll, 6, DoorState, SeatState; }
Schedule_tables { Poll { DoorState delay 10 ms; SeatState delay 10 ms; } }
Signal_encoding_types {
  Volt {
    logical_value, 0, "under voltage";
    physical_value, 1, 63, 0.0625, 7.0, "Volt";
    physical_value, 64, 191, 0.0104, 11.0, "Volt";
    physical_value, 192, 253, 0.0625, 13.0, "Volt";
    logical_value, 254, "over voltage";
    logical_value, 255, "invalid";
  }
  Lux { logical_value, 0, "Off"; physical_value, 1, 254, 1, 100, "lux"; logical_value, 255, "error"; }
  Ohm {
    physical_value, 0, 255, 5.6785558246e-04, 0, "Ohm";
    physical_value, 0, 1024, 3.778e02, 0, "Ohm";
    physical_value, 0, 65535, 3.5E+02, 5, "Ohm";
  }
  OnOff { logical_value, 0, "off"; logical_value, 1, "on"; }
  Unlimited { physical_value, 0, 0, 0.5, 10, "rpm"; }
  Bcd { bcd_value; }
  Ascii { ascii_value; }
}
Signal_representation {
  Volt: Battery; Lux: Light; Ohm: Resistance; OnOff: Mode; Unlimited: Rpm; Bcd: Digits; Ascii: Name;
}`),
);

const messageNamed = (name: string): Message =>
  database.messages.find((message) => message.name === name) as Message;

const decoded = (name: string, hex: string) => {
  const message = messageNamed(name);
  const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  const { decode, newValues, signals } = compileDecoder(message);
  const values = newValues();
  decode(new DataView(bytes.buffer), 0, bytes.length, values);
  const texts = new SampleText(signals);
  return Object.fromEntries(signals.map((signal, at) => [signal.name, texts.textOf(values, at)]));
};

const encoded = (name: string, signal: string, value: string): string => {
  const message = messageNamed(name);
  const { encode, newValues, signals } = compileEncoder(message);
  const values = newValues();
  const at = signals.findIndex((one) => one.name === signal);
  new ValueInput(signals).setPhysical(values, at, value);
  const bytes = new Uint8Array(message.length);
  encode(values, new DataView(bytes.buffer), 0, bytes.length);
  return Buffer.from(bytes).toString('hex').toUpperCase();
};

const byte = (value: number): string => value.toString(16).padStart(2, '0');

describe('values of a LIN signal', () => {
  it.each([
    [1, '7.0625'],
    [63, '10.9375'],
    [64, '11.6656'],
    [191, '12.9864'],
    [192, '25'],
    [253, '28.8125'],
  ])('follow the range that contains raw %i', (raw, value) => {
    const { Battery } = decoded('Scalars', byte(raw).padEnd(16, '0'));
    expect(Battery).toEqual({ value, raw: String(raw), label: null, unit: 'Volt' });
  });

  it.each([
    [0, 'under voltage'],
    [254, 'over voltage'],
    [255, 'invalid'],
  ])('are labels alone outside all ranges, as raw %i', (raw, label) => {
    const { Battery } = decoded('Scalars', byte(raw).padEnd(16, '0'));
    expect(Battery).toEqual({ value: null, raw: String(raw), label, unit: '' });
  });

  it('follow the first of ranges that overlap, exactly', () => {
    const of = (raw: string) => decoded('Scalars', `0000${raw}00000000`).Resistance?.value;
    expect([of('6400'), of('0001'), of('0104')]).toEqual(['0.056785558246', '96716.8', '358755']);
  });

  it('are the raw value where an encoding has labels alone', () => {
    expect(decoded('Scalars', '0000000001000000').Mode).toMatchObject({ value: '1', label: 'on' });
    expect(decoded('Scalars', '0000000003000000').Mode).toMatchObject({ value: '3', label: null });
  });

  it('have no limits where a file writes the range 0 to 0', () => {
    expect(decoded('Scalars', '00000000FCFF0000').Rpm).toMatchObject({ raw: '4095' });
    expect(decoded('Scalars', '00000000FCFF0000').Rpm?.value).toBe('2057.5');
  });

  it('are text of byte arrays', () => {
    const { Bytes, Digits } = decoded('Arrays', '05 04 03 02 01 04 02 00');
    expect(Bytes?.value).toBe('0504030201');
    expect(Digits?.value).toBe('42');
    expect(decoded('Arrays', '05 04 03 02 01 0A 02 00').Digits?.value).toBeNull();
    expect(decoded('Text', '41 42').Name?.value).toBe('AB');
    expect(decoded('Text', '41 00').Name?.value).toBe('A');
    expect(decoded('Text', '1B 41').Name?.value).toBeNull();
  });

  it('start as the file says', () => {
    const [bytes] = messageNamed('Arrays').signals;
    expect(bytes?.initialRaw).toBe(String(0x0102030405));
  });

  it('of an event-triggered frame are those of the frame that its first byte names', () => {
    expect(decoded('Changes', 'C4 07')).toMatchObject({
      PID: { label: 'DoorState' },
      Door: { raw: '7' },
      Seat: null,
    });
    expect(decoded('Changes', '85 08')).toMatchObject({
      PID: { label: 'SeatState' },
      Door: null,
      Seat: { raw: '8' },
    });
    expect(decoded('Changes', '00 08')).toMatchObject({ Door: null, Seat: null });
  });
});

describe('a LIN signal is encoded', () => {
  it.each([
    ['Battery', '12', '60'],
    ['Battery', '9', '20'],
    ['Light', '200', '0064'],
  ])('in the range that contains %s %s', (signal, value, hex) => {
    expect(encoded('Scalars', signal, value)).toBe(hex.padEnd(16, '0'));
  });

  it.each([
    ['Battery', '13'],
    ['Battery', '20'],
    ['Light', '100'],
    ['Light', '355'],
  ])('never in a gap: %s %s', (signal, value) => {
    expect(() => encoded('Scalars', signal, value)).toThrow(/ranges of its encoding/);
  });

  it.each([
    ['Battery', '7.04'],
    ['Battery', '10.95'],
    ['Battery', '28.82'],
    ['Light', '100.7'],
    ['Light', '354.4'],
  ])('never by rounding back to the end of a range: %s %s', (signal, value) => {
    expect(() => encoded('Scalars', signal, value)).toThrow(/ranges of its encoding/);
  });

  it('from the text of a byte array', () => {
    expect(encoded('Arrays', 'Bytes', '0504030201')).toBe('0504030201000000');
    expect(encoded('Arrays', 'Digits', '42')).toBe('0000000000040200');
    expect(encoded('Text', 'Name', 'AB')).toBe('4142');
    expect(encoded('Text', 'Name', 'A')).toBe('4100');
    expect(() => encoded('Arrays', 'Bytes', '05')).toThrow(/10 hexadecimal digits/);
    expect(() => encoded('Arrays', 'Digits', '100')).toThrow(/2 decimal digits/);
    expect(() => encoded('Text', 'Name', 'ABC')).toThrow(/2 ASCII characters/);
  });
});

describe('a LIN message is encoded by name', () => {
  const hexOf = (message: string, signals: Readonly<Record<string, string>>): string => {
    const encoder = new MessageEncoder(messageNamed(message), { isLin: true });
    return Buffer.from(encoder.encode({ signals }).data).toString('hex').toUpperCase();
  };

  it('with ones in the bits without a signal, and the start values of the file', () => {
    expect(hexOf('Scalars', { Light: '200', Mode: 'on' })).toBe('0064000001C0C0FF');
  });

  it('with labels, and with the text of byte arrays, digits or not', () => {
    expect(hexOf('Scalars', { Battery: 'over voltage' })).toBe('FE00000000C0C0FF');
    expect(hexOf('Arrays', { Bytes: '1122334455' })).toBe('11223344550000FF');
    expect(() => hexOf('Arrays', { Bytes: '1122' })).toThrow(/10 hexadecimal digits/);
    expect(() => hexOf('Scalars', { Battery: '13' })).toThrow(/from 7.0625 to 28.8125 Volt/);
  });

  it('never with a value beyond a range, however little', () => {
    expect(hexOf('Scalars', { Battery: '28.8' })).toBe('FD00000000C0C0FF');
    expect(() => hexOf('Scalars', { Battery: '28.82' })).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: {
          field: 'signals.Battery',
          reason: 'out_of_range',
          minimum: '7.0625',
          maximum: '28.8125',
        },
      }),
    );
  });
});
