import { fdLengths, isFrameLength, maxClassicLength } from '../../../frame/dlc.ts';
import { maxStandardId } from '../../../frame/frame.ts';
import type { RowOf } from '../project.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';

/** Server endpoints of a network must have the same unit id, because a server has only one. */
export const checkEndpoints = (links: ProjectLinks): void => {
  const report = links.reporter('endpoints');
  const unitOf = new Map<string, { readonly id: string; readonly node: number }>();
  links.draft.tables.endpoints.rows.forEach((endpoint, index) => {
    if (endpoint.kind !== 'modbus' || endpoint.role !== 'server') return;
    const { network, id, node } = endpoint;
    const first = unitOf.get(network);
    if (first === undefined) unitOf.set(network, { id, node });
    else if (first.node !== node) {
      const error = `must be ${first.node}, the unit of endpoint ${quoted(first.id)} on network ${quoted(network)}: a server has one unit id`;
      report(index, 'node', 'several_units', error);
    }
  });
};

type MessageRow = RowOf<'messages'>;

const longLengths = fdLengths.filter((length) => length > maxClassicLength);

const checkFrame = (message: MessageRow, index: number, report: Report): void => {
  const { can_id, extended, fd, brs, length } = message;
  if (!extended && can_id > maxStandardId) {
    const error = `must be at most ${maxStandardId}, or extended must be true`;
    report(index, 'can_id', 'out_of_range', error);
  }
  if (length > maxClassicLength && !fd) {
    const error = `must be at most ${maxClassicLength}, or fd must be true`;
    report(index, 'length', 'invalid_length', error);
  } else if (!isFrameLength(length, fd)) {
    const error = `must be 0 to ${maxClassicLength}, or one of ${longLengths.join(', ')}`;
    report(index, 'length', 'invalid_length', error);
  }
  if (brs && !fd) report(index, 'brs', 'conflicting_fields', 'needs fd to be true');
};

const checkTimes = (
  { direction, stale_after_ms }: MessageRow,
  index: number,
  report: Report,
): void => {
  if (direction === 'rx' && stale_after_ms === undefined) {
    const error = 'is required for a received message; 0 means no limit';
    report(index, 'stale_after_ms', 'missing_field', error);
  }
  if (direction === 'tx' && stale_after_ms !== undefined) {
    report(index, 'stale_after_ms', 'not_applicable', 'is only for received messages');
  }
};

export const checkMessages = (links: ProjectLinks): void => {
  const report = links.reporter('messages');
  const { endpoints, messages } = links.draft.tables;
  const known = new Map<string, string>();
  messages.rows.forEach((message, index) => {
    checkFrame(message, index, report);
    checkTimes(message, index, report);
    const { id, endpoint, direction, can_id, extended } = message;
    if ((endpoints.get(endpoint)?.kind ?? 'can') !== 'can') {
      report(index, 'endpoint', 'wrong_kind', 'must be an endpoint of the kind can');
    }
    const key = `${direction} ${can_id} ${extended} ${endpoint}`;
    const first = known.get(key);
    if (first === undefined) known.set(key, id);
    else {
      const error = `is also that of ${quoted(first)} on the same endpoint in the same direction; keep one row`;
      report(index, 'can_id', 'duplicate_message', error);
    }
  });
};

export const checkPdus = (links: ProjectLinks): void => {
  const report = links.reporter('pdus');
  const { messages, pdus } = links.draft.tables;
  for (const [messageId, indexes] of links.pdusOfMessage) {
    const message = messages.get(messageId);
    const inOrder = indexes
      .flatMap((index) => {
        const row = pdus.rows[index];
        return row ? [{ row, index, end: row.byte_offset + row.length }] : [];
      })
      .sort((a, b) => a.row.byte_offset - b.row.byte_offset);
    let furthest = inOrder[0];
    for (const pdu of inOrder) {
      if (message !== undefined && pdu.end > message.length) {
        const error = `must keep the PDU inside its message of ${message.length} bytes; it ends at byte ${pdu.end}`;
        report(pdu.index, 'length', 'out_of_bounds', error);
      }
      if (furthest === undefined || pdu === furthest) continue;
      if (pdu.row.byte_offset < furthest.end) {
        const error = `overlaps PDU ${quoted(furthest.row.id)}, which ends at byte ${furthest.end}; move one of them`;
        report(pdu.index, 'byte_offset', 'overlap', error);
      }
      if (pdu.end > furthest.end) furthest = pdu;
    }
  }
};
