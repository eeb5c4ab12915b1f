import type { DecimalText } from '../../model.ts';
import { colon, comma, StatementError, semicolon } from '../../text/cursor.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import { word } from '../../text/scanner.ts';
import { equals, LdfCursor, percent } from './cursor.ts';
import { Draft } from './draft.ts';
import {
  readDiagnosticFrames,
  readDiagnosticSignals,
  readEventFrames,
  readFrames,
  readSignals,
  readSporadicFrames,
} from './frame-sections.ts';
import { readNodeAttributes } from './node-attributes.ts';
import { readSchedules } from './schedule-section.ts';
import { readEncodings, readRepresentations } from './value-sections.ts';

type SectionReader = (cursor: LdfCursor, draft: Draft) => void;

const endHeader = (cursor: LdfCursor): void => cursor.expect(semicolon);

const readVersion = (cursor: LdfCursor): string => {
  cursor.expect(equals);
  const version = cursor.readTextOrWord('a version');
  endHeader(cursor);
  return version;
};

const maxKbps = 1000;

/** Bits per second of a number in kbit/s, rounded. */
const bitRateOf = (kbps: DecimalText): number => Math.round(Number(kbps) * 1000);

const readSpeed: SectionReader = (cursor, draft) => {
  cursor.expect(equals);
  const at = cursor.offset;
  const kbps = cursor.readReal('a bit rate');
  if (!(Number(kbps) > 0 && Number(kbps) <= maxKbps)) {
    throw new StatementError(at, `a bit rate cannot be ${shown(kbps)} kbps`, false);
  }
  if (!cursor.skipWord('kbps')) cursor.fail('“kbps”');
  endHeader(cursor);
  draft.bitRate = bitRateOf(kbps);
};

const readNodes: SectionReader = (cursor, draft) => {
  cursor.readBlock(() => {
    const role = cursor.readReference('“Master” or “Slaves”');
    if (role.name !== 'Master' && role.name !== 'Slaves') {
      throw new StatementError(
        role.at,
        `expected “Master” or “Slaves”, found ${shown(role.name)}`,
        false,
      );
    }
    cursor.expect(colon);
    if (role.name === 'Slaves') {
      for (const slave of cursor.readReferences('a slave name')) draft.slaves.push(slave);
    } else readMaster(cursor, draft);
    endHeader(cursor);
  });
};

const readMaster: SectionReader = (cursor, draft) => {
  const master = cursor.readReference('a master name');
  cursor.expect(comma);
  const timeBaseMs = cursor.readMilliseconds('a time base');
  cursor.expect(comma);
  const jitterMs = cursor.readMilliseconds('a jitter');
  // J2602: maximum header length and response tolerance.
  if (cursor.skip(comma)) {
    cursor.readReal('a header length');
    if (!cursor.skipWord('bits')) cursor.fail('“bits”');
    cursor.expect(comma);
    cursor.readReal('a tolerance');
    cursor.expect(percent);
  }
  draft.master = { ...master, timeBaseMs, jitterMs };
};

const readAddresses: SectionReader = (cursor, draft) => {
  cursor.readBlock(() => {
    const node = cursor.readReference('a node name');
    cursor.problems.keep(node.at);
    cursor.expect(colon);
    const nad = cursor.readWhole('a diagnostic address', 0xff);
    cursor.expect(semicolon);
    draft.addresses.push({ ...node, nad });
  });
};

/** Reads a section whose content has no effect on frames and schedules. */
const skipSection: SectionReader = (cursor) => cursor.skipUnknown();

const readByteOrder: SectionReader = (cursor) => {
  cursor.problems.warn(
    'byte_order_ignored',
    cursor.offset,
    'Tools disagree on what the byte order of signals means',
    'read as little-endian',
  );
  endHeader(cursor);
};

const sections: Readonly<Record<string, SectionReader>> = {
  LIN_description_file: endHeader,
  LIN_protocol_version: (cursor, draft) => {
    draft.protocolVersion = readVersion(cursor);
  },
  LIN_language_version: (cursor, draft) => {
    draft.languageVersion = readVersion(cursor);
  },
  LIN_speed: readSpeed,
  Channel_name: (cursor, draft) => {
    draft.channelName = readVersion(cursor);
  },
  LDF_file_revision: (cursor) => {
    readVersion(cursor);
  },
  LIN_sig_byte_order_big_endian: readByteOrder,
  LIN_sig_byte_order_little_endian: endHeader,
  Nodes: readNodes,
  composite: skipSection,
  Signals: readSignals,
  Diagnostic_signals: readDiagnosticSignals,
  Diagnostic_addresses: readAddresses,
  Frames: readFrames,
  Sporadic_frames: readSporadicFrames,
  Event_triggered_frames: readEventFrames,
  Diagnostic_frames: readDiagnosticFrames,
  Node_attributes: readNodeAttributes,
  Schedule_tables: readSchedules,
  Signal_groups: skipSection,
  Signal_encoding_types: readEncodings,
  Signal_representation: readRepresentations,
};

const readerOf: ReadonlyMap<string, SectionReader> = new Map(Object.entries(sections));

const readSection = (cursor: LdfCursor, draft: Draft, seen: Set<string>): void => {
  const { problems, scanner } = cursor;
  if (scanner.kind !== word) cursor.fail('a section');
  const at = cursor.offset;
  const name = scanner.slice();
  scanner.next();
  const read = readerOf.get(name);
  if (read === undefined) {
    problems.warn('statement_unknown', at, `Unknown section ${shown(name)}`, 'ignored');
    cursor.skipUnknown();
    return;
  }
  if (seen.has(name)) {
    problems.warn('section_repeated', at, `The section ${name} occurs more than once`, 'merged');
  }
  seen.add(name);
  read(cursor, draft);
};

/** Words that a LIN description file has at its top level; a file without any is another format. */
const isLdfWord = (name: string): boolean => readerOf.has(name);

export const readSections = (text: string, problems: FileProblems): Draft => {
  const draft = new Draft();
  const seen = new Set<string>();
  const cursor = new LdfCursor(text, problems);
  try {
    while (!cursor.isAtEnd) {
      // Some tools write “;” after a block.
      if (!cursor.skip(semicolon)) readSection(cursor, draft, seen);
    }
  } catch (thrown) {
    if (!(thrown instanceof StatementError)) throw thrown;
    problems.refuse(thrown.offset, thrown.message);
  }
  if (![...seen].some(isLdfWord)) problems.refuse(0, 'it contains no section of a LIN description');
  return draft;
};
