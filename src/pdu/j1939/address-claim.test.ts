import { describe, expect, it } from 'vitest';
import { frame } from '../testing/frames.ts';
import { AddressClaim } from './address-claim.ts';
import { claimFrame } from './claim-frames.ts';
import type { TransportFrame } from './transport-frames.ts';

const fixed = 0x0100_0000_0000_1000n;
const arbitrary = 0x8100_0000_0000_1000n;
const lower = 0x0100_0000_0000_0001n;
const higher = 0xf100_0000_0000_0001n;

const idOf = (request: TransportFrame | null): string | null =>
  request?.id.toString(16).toUpperCase() ?? null;

class Rig {
  readonly claim: AddressClaim;
  nowUs = 1_000_000;

  constructor(name: bigint, address = 0x80, random = 0.5) {
    this.claim = new AddressClaim({ name, address, random: () => random });
  }

  send(): this {
    const { frame: sending } = this.claim;
    expect(sending).not.toBeNull();
    if (sending) this.claim.sent(sending, this.nowUs);
    return this;
  }

  pass(ms: number): this {
    this.nowUs += ms * 1000;
    this.claim.expire(this.nowUs);
    return this;
  }

  hear({ id, data }: TransportFrame): this {
    this.claim.received(id, data, 0, data.length, this.nowUs);
    return this;
  }

  /** State, address, and the identifier of the frame that waits. */
  get now(): unknown[] {
    const { state, address, frame: waiting } = this.claim;
    return [state, address, idOf(waiting)];
  }
}

const claimed = (name = fixed) => new Rig(name).send().pass(250);

describe('AddressClaim', () => {
  it('claims immediately, and has the address 250 ms after the claim was sent', () => {
    const rig = new Rig(fixed);
    expect(rig.now).toEqual(['claiming', 0x80, '18EEFF80']);
    expect(rig.pass(1000).now).toEqual(['claiming', 0x80, '18EEFF80']);
    expect(rig.send().pass(249).now).toEqual(['claiming', 0x80, null]);
    expect(rig.pass(1).now).toEqual(['claimed', 0x80, null]);
  });

  it.each([
    ['claiming', () => new Rig(fixed).send()],
    ['claimed', () => claimed()],
  ])('claims again against a higher NAME while %s', (state, start) => {
    const rig = start().hear(claimFrame(higher, 0x80));
    expect(rig.now).toEqual([state, 0x80, '18EEFF80']);
  });

  it('waits again for a defence that could not be sent before the time was over', () => {
    const rig = new Rig(fixed).send().pass(200).hear(claimFrame(higher, 0x80)).pass(100);
    expect(rig.now).toEqual(['claiming', 0x80, '18EEFF80']);
    expect(rig.send().pass(250).now).toEqual(['claimed', 0x80, null]);
  });

  it('takes the next address that is free if its NAME allows it', () => {
    const rig = claimed(arbitrary);
    rig.hear(claimFrame(higher, 0x81)).hear(claimFrame(lower, 0x80));
    expect(rig.now).toEqual(['claiming', 0x82, '18EEFF82']);
    expect(rig.claim.lostTo).toBe(lower);
    expect(rig.send().pass(250).now).toEqual(['claimed', 0x82, null]);
  });

  it('takes an address that its node left for another one', () => {
    const rig = claimed(arbitrary);
    rig.hear(claimFrame(higher, 0x81)).hear(claimFrame(higher, 0x90)).hear(claimFrame(lower, 0x80));
    expect(rig.now).toEqual(['claiming', 0x81, '18EEFF81']);
  });

  it('begins with the first dynamic address after one that is not', () => {
    const rig = new Rig(arbitrary, 3).hear(claimFrame(lower, 3));
    expect(rig.now).toEqual(['claiming', 128, '18EEFF80']);
  });

  it('cannot claim when every dynamic address is taken', () => {
    const rig = new Rig(arbitrary, 247);
    for (let address = 128; address < 247; address++) {
      rig.hear(claimFrame(lower + BigInt(address), address));
    }
    rig.hear(claimFrame(lower, 247));
    expect(rig.now).toEqual(['cannot_claim', 254, null]);
  });

  it('reports that it cannot claim after its delay', () => {
    const rig = claimed().hear(claimFrame(lower, 0x80));
    expect(rig.now).toEqual(['cannot_claim', 254, null]);
    expect(rig.pass(76).now).toEqual(['cannot_claim', 254, null]);
    expect(rig.pass(1).now).toEqual(['cannot_claim', 254, '18EEFFFE']);
    expect(rig.send().pass(1000).now).toEqual(['cannot_claim', 254, null]);
  });

  it('drops a claim that waits for an address that is lost', () => {
    const rig = new Rig(fixed);
    const { frame: overtaken } = rig.claim;
    rig.hear(claimFrame(lower, 0x80));
    if (overtaken) rig.claim.sent(overtaken, rig.nowUs);
    expect(rig.now).toEqual(['cannot_claim', 254, null]);
  });

  it.each(['18EAFF21#00EE00', '18EA8021#00EE00', '18EA80FE#00EE00'])('answers %s', (request) => {
    expect(claimed().hear(frame(request)).now).toEqual(['claimed', 0x80, '18EEFF80']);
  });

  it.each(['18EA8121#00EE00', '18EAFF21#00EF00', '18EAFF21#00EE', '18EBFF21#00EE00'])(
    'does not answer %s',
    (request) => {
      expect(claimed().hear(frame(request)).now).toEqual(['claimed', 0x80, null]);
    },
  );

  it('answers requests after its delay while it cannot claim', () => {
    const rig = claimed().hear(claimFrame(lower, 0x80)).pass(100).send();
    rig.hear(frame('18EAFF21#00EE00'));
    expect(rig.now).toEqual(['cannot_claim', 254, null]);
    expect(rig.pass(100).now).toEqual(['cannot_claim', 254, '18EEFFFE']);
  });

  it('ignores claims of other addresses, echoes, and frames that are no claims', () => {
    const rig = claimed();
    rig.hear(claimFrame(lower, 0x81)).hear(claimFrame(fixed, 0x80)).hear(claimFrame(lower, 254));
    const { id, data } = claimFrame(lower, 0x80);
    rig.hear({ id, data: data.subarray(0, 7) }).hear({ id, data: new Uint8Array(8) });
    expect(rig.now).toEqual(['claimed', 0x80, null]);
  });

  it('claims again after an interruption, first the address that it wanted', () => {
    const rig = claimed().hear(claimFrame(lower, 0x80)).pass(100).send();
    rig.claim.restart();
    expect(rig.now).toEqual(['claiming', 0x80, '18EEFF80']);
    expect(rig.send().pass(250).now).toEqual(['claimed', 0x80, null]);
  });
});
