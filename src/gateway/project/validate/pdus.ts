import { type ProjectLinks, quoted } from './project-links.ts';

/** PDUs inside their messages, beside each other. */
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
        const flaw = `must keep it inside its message of ${message.length} bytes; it ends at ${pdu.end}`;
        report(pdu.index, 'length', 'out_of_bounds', flaw);
      }
      if (furthest === undefined || pdu === furthest) continue;
      if (pdu.row.byte_offset < furthest.end) {
        const flaw = `lies in PDU ${quoted(furthest.row.id)}, which ends at byte ${furthest.end}; move one of them`;
        report(pdu.index, 'byte_offset', 'overlap', flaw);
      }
      if (pdu.end > furthest.end) furthest = pdu;
    }
  }
};
