import type { Message } from '../../model.ts';
import type { Draft } from '../read/draft.ts';
import { type DbcProblems, shown } from '../read/problems.ts';

/** Tells of messages that frames find by their J1939 parameter group, and which of them share one. */
export const checkGroups = (
  draft: Draft,
  messages: readonly Message[],
  problems: DbcProblems,
): void => {
  const atOf = (index: number): number => draft.messages[index]?.at ?? 0;
  const firsts = new Map<number, Message>();
  let count = 0;
  let firstAt = 0;
  messages.forEach((message, index) => {
    const { pgn } = message;
    if (pgn === undefined) return;
    if (count === 0) firstAt = atOf(index);
    count += 1;
    const first = firsts.get(pgn);
    if (first === undefined) {
      firsts.set(pgn, message);
      return;
    }
    problems.warn(
      'pgn_repeated',
      atOf(index),
      `Messages ${shown(message.name)} and ${shown(first.name)} have the parameter group 0x${pgn.toString(16)}`,
      `frames of its own addresses are ${shown(message.name)}, those of no other message ${shown(first.name)}`,
    );
  });
  if (count === 0) return;
  problems.info(
    'matched_by_pgn',
    firstAt,
    `${count} ${count === 1 ? 'message is a J1939 parameter group' : 'messages are J1939 parameter groups'}`,
    'matched by PGN, whatever the priority and addresses of a frame',
  );
};
