import { hexDigits } from '../frame/hex-bytes.ts';
import type { PduRecord } from '../pdu/pdu-record.ts';
import { lineStream, lineTime } from './line-stream.ts';

const dtcsOf = ({ diagnostics }: PduRecord): string => {
  if (!diagnostics) return '';
  const { dtcs, lamps } = diagnostics;
  const lit = Object.entries(lamps).filter(([, state]) => state !== 'off');
  const codes = dtcs.map(({ spn, fmi, count }) => `SPN ${spn} FMI ${fmi} count ${count ?? '-'}`);
  return [...lit.map(([name, state]) => `${name} ${state}`), ...codes].join(', ');
};

/** `FECA`, or the identifier: `7E8`, and `6F1 12` with an address. */
const fromOf = ({ protocol, pgn, id, extended, address }: PduRecord): string => {
  if (id !== null) {
    const name = hexDigits(id, protocol === 'lin' ? 2 : extended ? 8 : 3);
    return address === null ? name : `${name} ${hexDigits(address, 2)}`;
  }
  return pgn === null ? '-' : hexDigits(pgn, 4);
};

/**
 *     (1699999999.123456)  tester  j1939  FECA  00 > FF  [14]  45F1…  SPN 190 FMI 2 count 5
 *     (1699999999.123456)  SIM00001/0  isotp  7E0  [3]  22F190  ReadDataByIdentifier F190 (vin)
 */
export const pduLine = (pdu: PduRecord): string => {
  const { timestamp_us, selector, channel_name, protocol, source, destination, length, status } =
    pdu;
  const addresses =
    source === null ? '' : `${hexDigits(source, 2)} > ${hexDigits(destination ?? 0, 2)}`;
  const findings = pdu.findings.map(({ code }) => code).join(', ');
  const parts = [
    lineTime(timestamp_us),
    channel_name ?? selector,
    protocol,
    fromOf(pdu),
    addresses,
    `[${length}]`,
    status === 'complete' ? pdu.data : status,
    pdu.data_omitted > 0 ? `… ${pdu.data_omitted} more bytes` : '',
    dtcsOf(pdu),
    pdu.words ?? '',
    findings && `(${findings})`,
  ];
  return `${parts.filter(Boolean).join('  ')}\n`;
};

export const watchPdus = lineStream({ text: pduLine });
