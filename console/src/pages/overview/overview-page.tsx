import './overview.css';
import { useTraffic } from '../../live/traffic.ts';
import { useBeat } from '../../plot/use-beat.ts';
import { stateOf } from '../../samples/signal-choices.ts';
import { knownPlans, watched } from '../../samples/signals-state.ts';
import { catalogs, plans } from '../../state/bench.ts';
import { useResource } from '../../ui/use-resource.ts';
import { BusLoadPanel } from './bus-load-panel.tsx';
import { Headline } from './headline.tsx';
import { dashboard } from './overview-state.ts';
import { PlotPreview } from './plot-preview.tsx';
import { TileView } from './tile-view.tsx';

/** What the bench is doing right now. */
export const OverviewPage = () => {
  const isMissing = watched.value.some((each) => stateOf(each, knownPlans.value) === 'expired');
  // Another client may be about to make the plans that are missing.
  useResource(plans, isMissing ? 'overview' : undefined);
  useResource(catalogs);
  useBeat('overview');
  useTraffic('overview');
  const tiles = dashboard.value?.tiles ?? [];
  return (
    <div class="overview">
      <Headline />
      {tiles.length > 0 && (
        <div class="tiles">
          {tiles.map((tile, at) => (
            <TileView key={tile.title} tile={tile} look={at} />
          ))}
        </div>
      )}
      <PlotPreview />
      <BusLoadPanel />
    </div>
  );
};
