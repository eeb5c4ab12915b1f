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

/** `(1699999999.123456)  SIM00001/0  j1939  FECA  00 > FF  [14]  45F1…  SPN 190 FMI 2 count 5` */
export const pduLine = (pdu: PduRecord): string => {
  const { timestamp_us, selector, protocol, pgn, source, destination, length, status } = pdu;
  const group = pgn === null ? '-' : hexDigits(pgn, 4);
  const addresses =
    source === null ? '' : `${hexDigits(source, 2)} > ${hexDigits(destination ?? 0, 2)}`;
  const findings = pdu.findings.map(({ code }) => code).join(', ');
  const parts = [
    lineTime(timestamp_us),
    selector,
    protocol,
    group,
    addresses,
    `[${length}]`,
    status === 'complete' ? pdu.data : status,
    pdu.data_omitted > 0 ? `… ${pdu.data_omitted} more bytes` : '',
    dtcsOf(pdu),
    findings && `(${findings})`,
  ];
  return `${parts.filter(Boolean).join('  ')}\n`;
};

export const watchPdus = lineStream({ text: pduLine });
