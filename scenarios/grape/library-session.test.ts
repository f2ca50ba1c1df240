import { expect, test } from 'vitest';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { SessionError } from '../../machines/grape/session.ts';
import { machines } from '../../manifests/machines.ts';
import { formatRecording, parseRecording } from '../recording.ts';
import { replay } from '../replay.ts';
import { sessionRecording, sessionText } from './library-session.ts';

const source = `
var vector long xi hlt flt64to72
var vector long ni hlt 1 fix64to72rs
bvar long xj elt flt64to72
bvar short mj elt flt64to36
var vector long sum rrn flt72to64 fadd
var vector long all rrn fix72to64w uadd
loop initialization
vlen 4
uxor $t $t $t
upassa $ti $ti $lr8v
loop body
vlen 1
bm xj $lr0v
bm mj $r6v
vlen 4
nop
fsub $lr0 xi $t
fmul $ti $r6 $t
nop
fadd $lr8v $t $lr8v
nop
loop finalization
upassa $lr8v $lr8v sum
nop
uadd ni ni all
`;
const table = [1n, -2n, 3n << 40n, 0n] as const;

/** A session with what is hard to write down: zeros with a sign, large integers, numbers of many digits, refused calls, records changed later. */
function session(): GrapeLibrary {
  const library = new GrapeLibrary(assemble(source).program, { nBB: 3, nPE: 2, hostCall: 31 });
  expect(library.run(1)).toBe(-1);
  library.init();
  const record = { xj: 0, mj: 0 };
  for (let index = 0; index < 6; index++) {
    record.xj = index === 2 ? -0 : Math.PI * 10 ** (5 * index - 12);
    record.mj = index === 4 ? -0 : 1 / (index + 3);
    library.sendJParticle(record, index);
  }
  library.sendHltData(1, { ni: table });
  expect(library.sendIParticle([{ xi: 1 }])).toBe(-3);
  library.registerIParticleConversion();
  library.sendIParticle([{ xi: -0 }, { xi: 1.1 }, { xi: -(2 ** 70) }, { xi: 5e-324 }, { xi: 7 }]);
  expect(library.run(2)).toBe(0);
  library.getResult();
  library.run(-1);
  library.run(1);
  library.getResult();
  return library;
}

test('a session of a library, written as a scenario, gives the same results in the same cycles', async () => {
  const library = session();
  const seen = library.getWords();

  const { result, recording } = await sessionRecording('session', library.session());

  expect(result.calls).toEqual(library.calls);
  expect(result.calls.at(-1)!.from).toBeGreaterThan(1000);
  expect(recording.end).toMatchObject({ verdict: 'ok', ticks: library.cycles });
  const values = seen.map(({ values: one }) => one['sum']);
  expect(values.filter((value) => value !== 0)).not.toEqual([]);
  expect((result.results.at(-1) as { sum: number }[]).map(({ sum }) => sum)).toEqual(values);
});

test('its recording is replayed: every checkpoint and the end are the same', async () => {
  const { recording } = await sessionRecording('session', session().session());
  const read = parseRecording(formatRecording(recording), 'session.json');

  const { difference, toEnd, checkpointsEqual } = await replay(read, machines);

  expect({ difference, toEnd }).toEqual({ difference: undefined, toEnd: true });
  expect(checkpointsEqual).toBeGreaterThan(0);
});

test('the text of a session names the cycle of each call, and keeps signs of zeros and large integers', () => {
  const text = sessionText('session', session().session());

  expect(text).toMatch(/^machine: grape$/m);
  expect(text).toMatch(/call: run[\s\S]{0,40}at: \d+/);
  expect(text).toContain('xj: -0');
  expect(text).toContain(String(3n << 40n));
});

test('a number that is not finite, and a program of other rules, are refused with their place', () => {
  const library = new GrapeLibrary(assemble(source).program, { hostCall: 0 });
  library.init();
  library.sendJParticle({ xj: Number.POSITIVE_INFINITY, mj: 1 }, 0);
  expect(() => library.session()).toThrow(
    new SessionError('call 1 (sendEltData).record.xj is Infinity, a scenario holds finite numbers only'),
  );

  const mixed = 'loop body\nfadd $lr0v $lr8v $lr16v $r24v\n';
  const other = new GrapeLibrary(assemble(mixed, { roundPolicy: 'allShort' }).program, {});
  expect(() => other.session()).toThrow(
    /assemble it with the roundPolicy, sizes and grfReadPorts of the library/,
  );
});
