import { colon, comma, semicolon } from '../../text/cursor.ts';
import { closeBrace, type LdfCursor, openBrace } from './cursor.ts';
import type { Draft, DraftFrame, DraftPosition, DraftSignal, Reference } from './draft.ts';

type Initial = Pick<DraftSignal, 'initial' | 'initialAt'>;

const readInitial = (cursor: LdfCursor): Initial => {
  const initialAt = cursor.offset;
  if (!cursor.skip(openBrace)) {
    return { initial: cursor.readSigned('an initial value'), initialAt };
  }
  const initial: number[] = [];
  do {
    cursor.problems.keep(cursor.offset);
    initial.push(cursor.readSigned('an initial value'));
  } while (cursor.skip(comma));
  cursor.expect(closeBrace);
  return { initial, initialAt };
};

const readSignal = (cursor: LdfCursor, hasPublisher: boolean): DraftSignal => {
  const name = cursor.readReference('a signal name');
  cursor.problems.keepSignal(name.at);
  cursor.expect(colon);
  const width = cursor.readWhole('a width in bits');
  cursor.expect(comma);
  const initial = readInitial(cursor);
  const nodes = hasPublisher && cursor.skip(comma) ? cursor.readReferences('a node name') : [];
  cursor.expect(semicolon);
  const [publisher = null, ...subscribers] = nodes;
  return { ...name, width, ...initial, publisher, subscribers };
};

export const readSignals = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => draft.signals.push(readSignal(cursor, true)));

export const readDiagnosticSignals = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => draft.diagnosticSignals.push(readSignal(cursor, false)));

const readPositions = (cursor: LdfCursor): DraftPosition[] => {
  const signals: DraftPosition[] = [];
  cursor.readBlock(() => {
    const signal = cursor.readReference('a signal name');
    cursor.problems.keepSignal(signal.at);
    cursor.expect(comma);
    const offset = cursor.readWhole('a bit offset', 0xffff);
    cursor.expect(semicolon);
    signals.push({ ...signal, offset });
  });
  return signals;
};

const readFrame = (cursor: LdfCursor, isDiagnostic: boolean): DraftFrame => {
  const name = cursor.readReference('a frame name');
  cursor.problems.keepMessage(name.at);
  cursor.expect(colon);
  const idAt = cursor.offset;
  const id = cursor.readWhole('a frame identifier', 0xff);
  let publisher: Reference | null = null;
  let length: number | null = isDiagnostic ? 8 : null;
  if (cursor.skip(comma)) {
    if (!isDiagnostic) publisher = cursor.readReference('a publisher');
    if (isDiagnostic || cursor.skip(comma)) length = cursor.readWhole('a length in bytes', 0xff);
  }
  return { ...name, id, idAt, publisher, length, signals: readPositions(cursor) };
};

export const readFrames = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => draft.frames.push(readFrame(cursor, false)));

export const readDiagnosticFrames = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => draft.diagnosticFrames.push(readFrame(cursor, true)));

export const readSporadicFrames = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => {
    const name = cursor.readReference('a frame name');
    cursor.problems.keep(name.at);
    cursor.expect(colon);
    const frames = cursor.readReferences('a frame name');
    cursor.expect(semicolon);
    draft.sporadicFrames.push({ ...name, frames });
  });

export const readEventFrames = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => {
    const name = cursor.readReference('a frame name');
    cursor.problems.keep(name.at);
    cursor.expect(colon);
    // LIN 2.0 has no collision table.
    const table = cursor.isNumber() ? null : cursor.readReference('a schedule table');
    if (table !== null) cursor.expect(comma);
    const id = cursor.readWhole('a frame identifier', 0xff);
    const frames = cursor.skip(comma) ? cursor.readReferences('a frame name') : [];
    cursor.expect(semicolon);
    draft.eventFrames.push({ ...name, table, id, frames });
  });
