import type { Cursor } from './cursor.ts';
import type { Draft } from './draft.ts';

export const readComment = (cursor: Cursor, draft: Draft): void => {
  cursor.problems.keep(cursor.offset);
  const { scanner, problems } = cursor;
  const place = cursor.offset;
  if (cursor.skipWord('SG_')) {
    const number = cursor.readMessageNumber();
    if (cursor.isText()) {
      problems.warn('comment_without_signal', place, 'A comment names no signal', 'left out');
      scanner.next();
      cursor.endStatement();
      return;
    }
    const name = cursor.readName('the name of a signal');
    const comment = readLastText(cursor);
    draft.notesOnSignal(number, name, place).comment = comment;
  } else if (cursor.skipWord('BO_')) {
    const number = cursor.readMessageNumber();
    const comment = readLastText(cursor);
    draft.notesOnMessage(number, place).comment = comment;
  } else if (cursor.skipWord('BU_')) {
    const name = cursor.readName('the name of a node');
    const comment = readLastText(cursor);
    draft.notesOnNode(name, place).comment = comment;
  } else if (cursor.skipWord('EV_')) {
    const name = cursor.readName('the name of an environment variable');
    const comment = readLastText(cursor);
    draft.notesOnVariable(name, place).comment = comment;
  } else if (cursor.isNumber()) {
    problems.warn(
      'comment_without_kind',
      place,
      'A comment does not say what its number stands for',
      'taken as the comment of a message',
    );
    const number = cursor.readMessageNumber();
    const comment = readLastText(cursor);
    draft.notesOnMessage(number, place).comment = comment;
  } else {
    const comment = readLastText(cursor);
    draft.comment = (draft.comment ?? '') + comment;
  }
};

const readLastText = (cursor: Cursor): string => {
  const text = cursor.readText('a comment in quotes');
  cursor.endStatement();
  return text;
};
