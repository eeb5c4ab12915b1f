import { compareDecimals, requireDecimal } from '../../../base/decimal/decimal.ts';
import { LinearScale } from '../../../base/decimal/linear-scale.ts';
import type { LinCommand, LinScheduleEntry, LinScheduleTable } from '../../lin-model.ts';
import type { DecimalText } from '../../model.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import type { DraftCommand, DraftEntry, DraftTable, Reference } from '../read/draft.ts';

interface Known {
  /** Returns the name of a slave or frame, or null for one that does not exist. */
  readonly findNode: (reference: Reference) => string | null;
  readonly findFrame: (reference: Reference) => string | null;
  readonly isSporadic: (frame: string) => boolean;
}

/** Returns null if the command names a node or frame that does not exist. */
const commandOf = ({ kind, node, frame, data }: DraftCommand, known: Known): LinCommand | null => {
  const nodeName = node === undefined ? '' : known.findNode(node);
  const frameName = frame === undefined ? '' : known.findFrame(frame);
  if (nodeName === null || frameName === null) return null;
  switch (kind) {
    case 'frame':
    case 'sporadic':
      return { kind: known.isSporadic(frameName) ? 'sporadic' : 'frame', frame: frameName };
    case 'assign_nad':
    case 'save_configuration':
      return { kind, node: nodeName };
    case 'assign_frame_id':
    case 'unassign_frame_id':
      return { kind, node: nodeName, frame: frameName };
    case 'assign_frame_id_range': {
      const [index = 0, ...pids] = data;
      return { kind, node: nodeName, index, pids: pids.length === 0 ? null : pids };
    }
    case 'data_dump':
      return { kind, node: nodeName, data };
    case 'conditional_change_nad':
    case 'free_format':
      return { kind, data };
    default:
      return { kind };
  }
};

const zero = requireDecimal('0', 'delay');

/** A delay is a multiple of the time base if their quotient is a whole number. */
const isMultiple = (delay: DecimalText, base: DecimalText): boolean =>
  new LinearScale(requireDecimal(base, 'time base'), zero).rawOf(requireDecimal(delay, 'delay'))
    ?.exact === true;

const checkDelay = (
  { at, delayMs }: DraftEntry,
  timeBaseMs: DecimalText | null,
  problems: FileProblems,
): void => {
  const isPositive = compareDecimals(requireDecimal(delayMs, 'delay'), zero) > 0;
  if (isPositive && (timeBaseMs === null || isMultiple(delayMs, timeBaseMs))) return;
  problems.warn(
    'delay_irregular',
    at,
    isPositive
      ? `The delay ${shown(delayMs)} ms is no multiple of the time base`
      : `The delay ${shown(delayMs)} ms is not positive`,
    'kept',
  );
};

export const buildSchedules = (
  tables: Iterable<DraftTable>,
  timeBaseMs: DecimalText | null,
  known: Known,
  problems: FileProblems,
): LinScheduleTable[] =>
  Array.from(tables, ({ name, entries }) => ({
    name,
    entries: entries.flatMap((entry): LinScheduleEntry[] => {
      checkDelay(entry, timeBaseMs, problems);
      const command = commandOf(entry.command, known);
      return command === null ? [] : [{ command, delayMs: entry.delayMs }];
    }),
  }));
