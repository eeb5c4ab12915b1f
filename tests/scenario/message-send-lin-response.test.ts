import { describe, expect, it } from 'vitest';
import { ask, askJson } from '../support/http.ts';
import { setUpWorkbench } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';

describe('a LIN master that reads', () => {
  it('is answered with the response of a slave, over both faces', async () => {
    const bench = setUpWorkbench();
    const demo = runInBackground(bench, 'demo', '--port=0');
    await demo.printed('stdout', 'Press Ctrl-C');
    const port = Number(/http:\/\/127\.0\.0\.1:([0-9]+)\//.exec(demo.stdout)?.[1]);
    const expected = {
      accepted: 1,
      channel: 'door-master',
      selector_kind: 'name',
      slot: expect.any(Number),
      resolved: null,
      response: {
        id: 0x21,
        dlc: 2,
        data: expect.stringMatching(/^[0-9A-F]{4}$/),
        checksum: expect.any(Number),
        checksum_model: 'enhanced',
        timestamp_us: expect.any(Number),
      },
    };
    const json = { channel: 'door-master', type: 'master-read', id: 0x21 };
    const web = await askJson({ port, path: '/api/v1/messages', json });
    expect(web.json()).toEqual(expected);
    const read = ['message', 'send', 'door-master', '--type=master-read', '--id=0x21'];
    expect(await bench.json(...read)).toEqual(expected);
    expect(await bench.json(...read, '--count=3')).toEqual({ ...expected, accepted: 3 });
    const { response } = web.json();
    const query = 'channel=door-master&limit=4096';
    const history = (await ask({ port, path: `/api/v1/messages/history?${query}` })).json();
    const event = history.events.find(
      ({ timestamp_us }: { timestamp_us: number }) => timestamp_us === response.timestamp_us,
    );
    expect(event).toMatchObject({
      kind: 'rx_frame',
      id: 0x21,
      data: response.data,
      checksum: response.checksum,
    });
  });
});
