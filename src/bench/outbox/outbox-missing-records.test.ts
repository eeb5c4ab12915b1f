import { describe, expect, it } from 'vitest';
import { FakePort } from './testing/fake-port.ts';

const nothing = new Uint8Array(0);

/** A port that has accepted this many frames of one lane. */
const setUp = (frames: number) => {
  const port = new FakePort({ txDepth: frames });
  const reported: string[] = [];
  const lane = port.outbox.open({ settled: (outcome) => reported.push(outcome) });
  const send = (id: number) => lane.send(id, 0, 0, nothing, 0, 0);
  for (let id = 1; id <= frames; id++) send(id);
  return { port, lane, told: reported, send };
};

describe('an outcome whose record was overwritten', () => {
  it('is unknown once a later one is there', () => {
    const { port, told: reported } = setUp(2);
    port.completeUnseen();
    port.complete();
    expect(reported).toEqual(['unknown', 'sent']);
  });

  it('is unknown though the frames behind it have failed', () => {
    const { port, told: reported } = setUp(3);
    port.completeUnseen();
    port.fail();
    expect(reported).toEqual(['unknown', 'failed', 'failed']);
  });

  it('is unknown when the channel is closed before it was looked for', () => {
    const { port, lane, told: reported } = setUp(1);
    port.completeUnseen();
    port.outbox.end();
    port.outbox.closed();
    expect([reported, lane.pending]).toEqual([['unknown'], 0]);
  });

  it('is unknown if the port has no frame left, and the lane goes on', () => {
    const { port, told: reported, send } = setUp(1);
    port.completeUnseen();
    send(2);
    expect(port.pending).toBe(0);
    port.clock.advanceUs(1);
    port.complete();
    expect([reported, port.sent]).toEqual([['unknown', 'sent'], [2]]);
  });

  it('is looked for again if its record goes missing while others are looked for', () => {
    const { port, lane, told: reported } = setUp(2);
    port.completeUnseen();
    let counts = 0;
    port.onCounted = () => {
      counts += 1;
      if (counts === 2) port.completeUnseen();
    };
    port.clock.advanceUs(1);
    expect(counts).toBeGreaterThan(1);
    port.clock.advanceUs(1000);
    expect([reported, lane.pending]).toEqual([['unknown', 'unknown'], 0]);
  });
});
