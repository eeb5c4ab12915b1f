import '../styles/tokens.css';
import '../styles/elements.css';
import '../styles/layout.css';
import '../styles/tables.css';
import '../styles/forms.css';
import { render } from 'preact';
import { longRequests } from '../api/client.ts';
import { followState } from '../live/state-report.ts';
import { watchConnection } from '../state/connection.ts';
import { watchInstances } from '../state/gateways.ts';
import { App } from './app.tsx';
import '../state/theme.ts';
import { takeSlot } from '../streams/stream-client.ts';

longRequests.takeSlot = takeSlot;
watchConnection();
watchInstances();
followState();
render(<App />, document.body);
