import { call } from '../../api/client.ts';
import { resource } from '../../state/resource.ts';

export const logging = resource(() => call('logging.status'), 'logging.status');
export const replay = resource(() => call('replay.status'), 'replay.status');
export const forwarding = resource(() => call('remote.status'), 'remote.status');
