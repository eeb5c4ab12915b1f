export type Parity = 'none' | 'even' | 'odd';

export interface SerialSettings {
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly parity: Parity;
  readonly stopBits: 1 | 2;
}
