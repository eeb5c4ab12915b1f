import { colon, comma, semicolon } from '../../text/cursor.ts';
import { shown } from '../../text/problems.ts';
import type { LdfCursor } from './cursor.ts';
import type { Draft, DraftValue } from './draft.ts';

const readLogical = (cursor: LdfCursor, at: number): DraftValue => {
  cursor.expect(comma);
  const raw = cursor.readWhole('a raw value');
  const text = cursor.skip(comma) ? cursor.readText('a text in quotes') : '';
  return { kind: 'logical', at, raw, text };
};

const readPhysical = (cursor: LdfCursor, at: number): DraftValue => {
  cursor.expect(comma);
  const from = cursor.readSigned('a minimum raw value');
  cursor.expect(comma);
  const to = cursor.readSigned('a maximum raw value');
  cursor.expect(comma);
  const factor = cursor.readReal('a factor');
  cursor.expect(comma);
  const offset = cursor.readReal('an offset');
  const unit = cursor.skip(comma) ? cursor.readText('a unit in quotes') : '';
  return { kind: 'physical', at, from, to, factor, offset, unit };
};

const readValue = (cursor: LdfCursor): DraftValue | null => {
  const { at, name } = cursor.readReference('a value');
  cursor.problems.keep(at);
  switch (name) {
    case 'logical_value':
      return readLogical(cursor, at);
    case 'physical_value':
      return readPhysical(cursor, at);
    case 'bcd_value':
      return { kind: 'bcd', at };
    case 'ascii_value':
      return { kind: 'ascii', at };
    default:
      cursor.problems.warn('statement_unknown', at, `Unknown value ${shown(name)}`, 'ignored');
      return null;
  }
};

export const readEncodings = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => {
    const encoding = cursor.readReference('an encoding name');
    cursor.problems.keep(encoding.at);
    const values: DraftValue[] = [];
    cursor.readBlock(() => {
      const value = readValue(cursor);
      if (value === null) {
        cursor.skipUnknown();
        return;
      }
      values.push(value);
      cursor.expect(semicolon);
    });
    draft.encodings.push({ ...encoding, values });
  });

export const readRepresentations = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => {
    const encoding = cursor.readReference('an encoding name');
    cursor.problems.keep(encoding.at);
    cursor.expect(colon);
    const signals = cursor.readReferences('a signal name');
    cursor.expect(semicolon);
    draft.representations.push({ ...encoding, signals });
  });
