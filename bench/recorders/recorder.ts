import '../../src/entry/recorder.ts';
