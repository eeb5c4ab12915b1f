import type { LinCommand } from '../../lin-model.ts';
import { comma, semicolon } from '../../text/cursor.ts';
import { closeBrace, type LdfCursor, openBrace } from './cursor.ts';
import type { Draft, DraftCommand, DraftEntry, Reference } from './draft.ts';

interface CommandForm {
  readonly kind: LinCommand['kind'];
  readonly hasNode?: boolean;
  readonly hasFrame?: boolean;
  /** Possible numbers of integers after the names. */
  readonly counts?: readonly number[];
}

const commands: ReadonlyMap<string, CommandForm> = new Map(
  Object.entries({
    MasterReq: { kind: 'master_request' },
    SlaveResp: { kind: 'slave_response' },
    AssignNAD: { kind: 'assign_nad', hasNode: true },
    ConditionalChangeNAD: { kind: 'conditional_change_nad', counts: [6] },
    DataDump: { kind: 'data_dump', hasNode: true, counts: [5] },
    SaveConfiguration: { kind: 'save_configuration', hasNode: true },
    AssignFrameIdRange: { kind: 'assign_frame_id_range', hasNode: true, counts: [1, 5] },
    AssignFrameId: { kind: 'assign_frame_id', hasNode: true, hasFrame: true },
    UnassignFrameId: { kind: 'unassign_frame_id', hasNode: true, hasFrame: true },
    FreeFormat: { kind: 'free_format', counts: [8] },
  } satisfies Record<string, CommandForm>),
);

const readByte = (cursor: LdfCursor): number => cursor.readWhole('a byte', 0xff);

const readArguments = (cursor: LdfCursor, form: CommandForm): DraftCommand => {
  const { kind, hasNode, hasFrame, counts = [] } = form;
  if (!hasNode && counts.length === 0) return { kind, data: [] };
  cursor.expect(openBrace);
  const names: { node?: Reference; frame?: Reference } = {};
  if (hasNode) names.node = cursor.readReference('a node name');
  if (hasFrame) {
    cursor.expect(comma);
    names.frame = cursor.readReference('a frame name');
  }
  const data: number[] = [];
  const max = Math.max(0, ...counts);
  while (data.length < max && (counts.includes(data.length) ? cursor.is(comma) : true)) {
    if (hasNode || data.length > 0) cursor.expect(comma);
    data.push(readByte(cursor));
  }
  cursor.expect(closeBrace);
  return { kind, ...names, data };
};

const readEntry = (cursor: LdfCursor): DraftEntry => {
  const name = cursor.readReference('a frame or command');
  cursor.problems.keep(name.at);
  const form = commands.get(name.name);
  const command: DraftCommand =
    form === undefined ? { kind: 'frame', frame: name, data: [] } : readArguments(cursor, form);
  if (!cursor.skipWord('delay')) cursor.fail('“delay”');
  const delayMs = cursor.readMilliseconds('a delay');
  cursor.expect(semicolon);
  return { at: name.at, command, delayMs };
};

export const readSchedules = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => {
    const table = cursor.readReference('a table name');
    cursor.problems.keep(table.at);
    const entries: DraftEntry[] = [];
    cursor.readBlock(() => entries.push(readEntry(cursor)));
    draft.tables.push({ ...table, entries });
  });
