import type { ChannelStats } from '../../api/schema.ts';
import { formatCount } from '../../format/figures.ts';
import { Fact } from './fact.tsx';

type Broker = ChannelStats['broker'];

const consumerNames: Readonly<Record<Broker['consumers'][number]['kind'], string>> = {
  sse: 'Event stream',
  websocket: 'WebSocket',
  recv: 'message recv',
  decode: 'Signal plans',
  forward: 'Forwarding',
  logging: 'Logging',
};

const Consumers = ({ consumers }: Pick<Broker, 'consumers'>) => (
  <table data-testid="consumers">
    <thead>
      <tr>
        <th scope="col">Consumer</th>
        <th scope="col" class="number">
          Next event
        </th>
        <th scope="col" class="number">
          Lag
        </th>
      </tr>
    </thead>
    <tbody>
      {consumers.map(({ kind, cursor, lag }, at) => (
        <tr key={at}>
          <td>{consumerNames[kind] ?? kind}</td>
          <td class="number">{formatCount(cursor)}</td>
          <td class="number">{formatCount(lag)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** How much of the past the service keeps of a channel, and who reads it. */
export const BrokerFacts = ({ broker }: { readonly broker: Broker }) => (
  <>
    <dl data-testid="broker">
      <Fact name="Retained" whole>
        {formatCount(broker.retained)} of {formatCount(broker.capacity)}
      </Fact>
      <Fact name="Oldest">
        {broker.oldest_event_id === null ? '–' : formatCount(broker.oldest_event_id)}
      </Fact>
      <Fact name="Newest">
        {broker.newest_event_id === null ? '–' : formatCount(broker.newest_event_id)}
      </Fact>
      <Fact name="Overwritten">{formatCount(broker.overwritten)}</Fact>
      <Fact name="Ring slots">{formatCount(broker.ring_slots)}</Fact>
    </dl>
    {broker.consumers.length === 0 ? (
      <p class="quiet">No client reads this channel now.</p>
    ) : (
      <Consumers consumers={broker.consumers} />
    )}
  </>
);
