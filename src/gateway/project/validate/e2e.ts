import { bytesFor } from '../../../database/layout.ts';
import type { RowOf } from '../project.ts';
import type { CodecRow, E2eCodec } from '../tables/codecs.ts';
import { protectedFields } from './e2e-layout.ts';
import { profileRules } from './e2e-profiles.ts';
import { hasOneOf } from './one-of.ts';
import type { Container, ProjectLinks, Report } from './project-links.ts';

const directionOf = { check: 'rx', protect: 'tx' } as const;

/** The codec of a row, if it is one for protection. */
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

/** Whether what the codec protects and writes is there. */
const checkRoom = (codec: E2eCodec, { length }: Container, index: number, report: Report): void => {
  const { data_length = length, profile } = codec;
  if (data_length > length) {
    const flaw = `protects ${data_length} bytes, but there are ${length}; shorten its data_length`;
    report(index, 'codec', 'out_of_bounds', flaw);
  }
  const most = profile === 'free' ? length : profileRules[profile].mostBytes;
  if (codec.data_length === undefined && length > most) {
    const flaw = `protects at most ${most} bytes in profile ${profile}; set its data_length`;
    report(index, 'codec', 'out_of_bounds', flaw);
  }
  const bytes = Math.min(data_length, length);
  const outside = protectedFields(codec).find((field) => bytesFor(field) > bytes);
  if (outside) {
    const flaw = `needs ${bytesFor(outside)} bytes for what ${outside.placedBy} places, but ${bytes} are protected`;
    report(index, 'codec', 'out_of_bounds', flaw);
  }
};

/** Checks and protections: what they are for, and whether it has room for them. */
export const checkE2e = (links: ProjectLinks): void => {
  const report = links.reporter('e2e');
  links.draft.tables.e2e.rows.forEach((row, index) => {
    const hasTarget = hasOneOf(row, ['message', 'pdu'], index, report);
    const codec = codecOf(links, row, index, report);
    const container = hasTarget ? links.containerOf(row) : undefined;
    if (container === undefined) return;
    const needed = directionOf[row.direction];
    if (container.message.direction !== needed) {
      const flaw = `must be ${row.direction === 'check' ? 'protect' : 'check'} for a message that is ${container.message.direction}`;
      report(index, 'direction', 'wrong_direction', flaw);
    }
    if (codec?.kind === 'e2e') checkRoom(codec, container, index, report);
  });
};
