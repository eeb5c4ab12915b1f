import { layoutOf } from './e2e.ts';
import { containerOf, type E2eRow, type MessageRow, type PduRow } from './project.ts';
import type { ProjectDraft } from './project-draft.ts';
import type { Random } from './random.ts';
import { addBindings, type Room } from './random-bindings.ts';
import { protectedBits, randomE2eCodec } from './random-e2e.ts';

const classicLengths = [0, 1, 2, 3, 4, 6, 8, 8, 8] as const;
const fdLengths = [3, 8, 12, 16, 24, 32, 64] as const;
const periods = [5, 10, 20, 50, 100] as const;

const addMessage = (random: Random, draft: ProjectDraft, direction: 'rx' | 'tx'): MessageRow => {
  const { endpoints, messages } = draft.tables;
  const isFd = random.chance(0.3);
  const isExtended = random.chance(0.3);
  const endpoint = random.pick(endpoints.filter(({ kind }) => kind === 'can')).id;
  const isTaken = (id: number): boolean =>
    messages.some(
      (row) =>
        row.endpoint === endpoint &&
        row.direction === direction &&
        row.can_id === id &&
        (row.extended ?? false) === isExtended,
    );
  let canId = random.integer(0x100, 0x103);
  while (isTaken(canId)) canId += 1;
  const message: MessageRow = {
    id: draft.name(`${direction}_message`),
    endpoint,
    direction,
    can_id: canId,
    ...(isExtended ? { extended: true } : {}),
    ...(isFd ? { fd: true, ...random.some(0.5, { brs: true }) } : {}),
    length: random.pick<number>(isFd ? fdLengths : classicLengths),
    ...(direction === 'tx' ? { period_ms: random.pick(periods) } : {}),
    ...(direction === 'rx' ? { stale_after_ms: random.pick([0, 0, 20, 50, 200, 1000]) } : {}),
    ...random.some(0.3, { fill: random.pick([255, 0x55]) }),
  };
  messages.push(message);
  return message;
};

const addPdus = (random: Random, draft: ProjectDraft, message: MessageRow): PduRow[] => {
  const pdus: PduRow[] = [];
  if (message.length < 4 || !random.chance(0.35)) return pdus;
  let at = random.integer(0, 1);
  while (at < message.length && pdus.length < 3) {
    const length = random.integer(1, Math.min(24, message.length - at));
    pdus.push({ id: draft.name('pdu'), message: message.id, byte_offset: at, length });
    at += length + random.integer(0, 2);
  }
  draft.tables.pdus.push(...pdus);
  return pdus;
};

/** A check or protection of the message or one of its PDUs. */
const addE2e = (
  random: Random,
  draft: ProjectDraft,
  message: MessageRow,
  pdus: readonly PduRow[],
): E2eRow | undefined => {
  const pdu = pdus.length > 0 && random.chance(0.6) ? random.pick(pdus) : undefined;
  const isCheck = message.direction === 'rx';
  const codec = randomE2eCodec(random, draft, pdu?.length ?? message.length, isCheck);
  if (codec === undefined) return undefined;
  const row: E2eRow = {
    id: draft.name('e2e_row'),
    ...(pdu === undefined ? { message: message.id } : { pdu: pdu.id }),
    direction: isCheck ? 'check' : 'protect',
    codec: codec.id,
  };
  draft.tables.e2e.push(row);
  return row;
};

/** Bits of the message written by its protection. */
const bitsOfE2e = (draft: ProjectDraft, row: E2eRow | undefined): number[] => {
  const codec = draft.tables.codecs.find(({ id }) => id === row?.codec);
  if (row === undefined || codec?.kind !== 'e2e') return [];
  const { byteOffset, length } = containerOf(draft.tables, row);
  return protectedBits(layoutOf(codec, length)).map((bit) => bit + 8 * byteOffset);
};

/** The PDUs as spaces, and the rest of the message itself. */
const roomsOf = (
  message: MessageRow,
  pdus: readonly PduRow[],
  written: readonly number[],
): Room[] => {
  const taken = new Set(written);
  const rooms: Room[] = pdus.map(({ id, byte_offset, length }) => {
    const own = [...taken]
      .map((bit) => bit - 8 * byte_offset)
      .filter((bit) => bit >= 0 && bit < 8 * length);
    return {
      target: { pdu: id },
      direction: message.direction,
      bytes: length,
      taken: new Set(own),
    };
  });
  for (const { byte_offset, length } of pdus) {
    for (let bit = 8 * byte_offset; bit < 8 * (byte_offset + length); bit += 1) taken.add(bit);
  }
  const target = { message: message.id };
  return [...rooms, { target, direction: message.direction, bytes: message.length, taken }];
};

/** A message with PDUs, protection and bindings. */
export const addFilledMessage = (
  random: Random,
  draft: ProjectDraft,
  direction: 'rx' | 'tx',
): MessageRow => {
  const message = addMessage(random, draft, direction);
  const pdus = addPdus(random, draft, message);
  const e2e = random.chance(0.6) ? addE2e(random, draft, message, pdus) : undefined;
  for (const room of roomsOf(message, pdus, bitsOfE2e(draft, e2e))) {
    if (pdus.length === 0 || random.chance(0.7)) addBindings(random, draft, room);
  }
  return message;
};
