import { probe } from '../gateway/plugins/run-probe.ts';

void probe();
