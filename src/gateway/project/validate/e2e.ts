import { checkE2eRoom } from '../../../e2e/check-fields.ts';
import type { RowOf } from '../project.ts';
import type { CodecRow } from '../tables/codecs.ts';
import { hasOneOf, type ProjectLinks, type Report } from './project-links.ts';

const directionOf = { check: 'rx', protect: 'tx' } as const;

const codecOf = (
  links: ProjectLinks,
  row: RowOf<'e2e'>,
  index: number,
  report: Report,
): CodecRow | undefined => {
  const { codecs, plugins } = links.draft.tables;
  const codec = codecs.get(row.codec);
  if (codec?.kind === 'linear') {
    report(index, 'codec', 'wrong_kind', 'must be of the kind e2e, or native');
  }
  if (codec?.kind === 'native' && (plugins.get(codec.plugin)?.kind ?? 'e2e') !== 'e2e') {
    report(index, 'codec', 'wrong_kind', 'must have a plugin of the kind e2e');
  }
  return codec;
};

export const checkE2e = (links: ProjectLinks): void => {
  const report = links.reporter('e2e');
  links.draft.tables.e2e.rows.forEach((row, index) => {
    const hasTarget = hasOneOf(row, ['message', 'pdu'], index, report);
    const codec = codecOf(links, row, index, report);
    const container = hasTarget ? links.containerOf(row) : undefined;
    if (container === undefined) return;
    const needed = directionOf[row.direction];
    if (container.message.direction !== needed) {
      const error = `must be ${row.direction === 'check' ? 'protect' : 'check'} for a message that is ${container.message.direction}`;
      report(index, 'direction', 'wrong_direction', error);
    }
    if (codec?.kind !== 'e2e') return;
    checkE2eRoom(codec, container.length, (_field, code, error) =>
      report(index, 'codec', code, error),
    );
  });
};
