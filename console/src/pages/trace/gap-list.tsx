import { formatCount } from '../../format/figures.ts';
import type { GapBounds } from '../../trace-core/stream-account.ts';

/** What the service still kept is unknown where it told of no gap. */
export interface ListedGap extends Partial<GapBounds> {
  readonly after: number;
  readonly missing: number;
}

const bound = (value: number | undefined): string =>
  value === undefined ? '–' : formatCount(value);

/** Gaps of a stream, the newest first. */
export const GapList = ({ gaps }: { readonly gaps: readonly ListedGap[] }) => (
  <table class="gaps">
    <caption>Gaps, the newest first</caption>
    <thead>
      <tr>
        {['Behind event', 'Missing', 'Oldest kept', 'Newest kept'].map((title) => (
          <th key={title} scope="col" class="number">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {gaps.toReversed().map((gap, i) => (
        <tr key={gaps.length - i}>
          <td class="number">{formatCount(gap.after)}</td>
          <td class="number">{Number.isNaN(gap.missing) ? 'unknown' : formatCount(gap.missing)}</td>
          <td class="number">{bound(gap.oldest_available)}</td>
          <td class="number">{bound(gap.newest_available)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
