import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf, recordCodes } from '../base/schema/schemas.ts';
import { isDiagnosticPgn } from '../database/j1939.ts';
import { type KnownDids, udsWords } from '../diagnostics/words.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import { Diagnostics, readDiagnostics } from './j1939/diagnostics.ts';
import { findingCodes, type Pdu, pduProtocols, pduStatuses } from './pdu.ts';

/** Payload bytes that a record shows. */
export const maxShownBytes = 65_536;

const address = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: 255 }), { description });

export const PduRecord = named(
  'Pdu',
  Type.Object({
    sequence: Type.Integer({ minimum: 1, description: 'One counter over all channels' }),
    protocol: Type.Enum([...pduProtocols]),
    channel: Type.Integer({
      minimum: 0,
      description: 'Slot of the channel; in a trace, its number',
    }),
    selector: Type.String({ description: 'Selector of the channel; in a trace, its name there' }),
    channel_name: nullable(Type.String(), {
      description: 'Name of the channel; null if it has none, and in traces',
    }),
    first_event_id: counted('Event of the first frame; in a trace, the number of the event from 1'),
    last_event_id: counted('Event of the last frame'),
    timestamp_us: Type.Integer({
      description:
        'Time of the last frame as Unix time in microseconds; since the start in traces without a date',
    }),
    duration_us: counted('Time from the first frame to the last'),
    frames: counted('Frames of the transfer, including flow control'),
    length: counted('Announced length in bytes; 0 if unknown'),
    data: Type.String({
      description: `Payload as uppercase hex, at most ${maxShownBytes} bytes; empty unless complete`,
    }),
    data_omitted: counted('Payload bytes after those in data'),
    status: recordCodes('PduStatus', pduStatuses),
    findings: Type.Array(
      Type.Object({
        code: recordCodes('PduFindingCode', findingCodes),
        event_id: counted('Event in which it was found'),
      }),
      { description: 'What was odd about the transfer, at most 32 findings' },
    ),
    pgn: nullable(Type.Integer({ minimum: 0, maximum: 0x3ffff }), {
      description: 'J1939: parameter group number; null for packets without announcement',
    }),
    source: address('J1939: source address'),
    destination: address('J1939: destination address; 255 is all nodes'),
    priority: nullable(Type.Integer({ minimum: 0, maximum: 7 }), {
      description: 'J1939: priority of the announcement; 0 is the highest',
    }),
    acknowledged: nullable(Type.Boolean(), {
      description:
        'J1939: whether the receiver acknowledged it; null for broadcasts. A stream reports a PDU before its acknowledgement',
    }),
    diagnostics: nullable(Diagnostics, {
      description: 'J1939: lamps and diagnostic codes of DM1 and DM2',
    }),
    id: nullable(Type.Integer({ minimum: 0 }), {
      description: 'ISO-TP and LIN: identifier of the frames with the payload',
    }),
    extended: nullable(Type.Boolean(), {
      description: 'ISO-TP and LIN: whether the identifier has 29 bits',
    }),
    address: address(
      'ISO-TP: address byte before the protocol bytes, if the addressing has one; LIN: node address (NAD)',
    ),
    words: nullable(Type.String(), {
      description: 'ISO-TP and LIN: a complete payload as UDS, in words',
    }),
  }),
);
export type PduRecord = RecordOf<typeof PduRecord>;

const diagnosticsOf = ({ protocol, pgn, status, payload }: Pdu): PduRecord['diagnostics'] => {
  if (protocol !== 'j1939' || status !== 'complete' || !isDiagnosticPgn(pgn)) return null;
  return readDiagnostics(payload);
};

const wordsOf = ({ protocol, status, payload }: Pdu, dids?: KnownDids): string | null =>
  protocol === 'j1939' || status !== 'complete' ? null : udsWords(payload, dids);

export const pduRecord = (
  pdu: Pdu,
  place: Pick<PduRecord, 'sequence' | 'channel' | 'selector' | 'channel_name'>,
  dids?: KnownDids,
): PduRecord => {
  const { payload } = pdu;
  const shown = Math.min(payload.length, maxShownBytes);
  return {
    sequence: place.sequence,
    protocol: pdu.protocol,
    channel: place.channel,
    selector: place.selector,
    channel_name: place.channel_name,
    first_event_id: pdu.firstEventId,
    last_event_id: pdu.lastEventId,
    timestamp_us: pdu.timestampUs,
    duration_us: pdu.durationUs,
    frames: pdu.frames,
    length: pdu.length,
    data: formatHex(payload, '', shown),
    data_omitted: payload.length - shown,
    status: pdu.status,
    findings: pdu.findings.map(({ code, eventId }) => ({ code, event_id: eventId })),
    pgn: pdu.pgn,
    source: pdu.source,
    destination: pdu.destination,
    priority: pdu.priority,
    acknowledged: pdu.acknowledged,
    diagnostics: diagnosticsOf(pdu),
    id: pdu.id,
    extended: pdu.extended,
    address: pdu.address,
    words: wordsOf(pdu, dids),
  };
};
