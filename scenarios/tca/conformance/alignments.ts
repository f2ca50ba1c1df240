import { placeOf } from '../../../actors/tca/address-map.ts';
import type { Handle } from '../../../actors/tca/gasnet/handle.ts';
import { segmentBase } from '../../../actors/tca/gasnet/layout.ts';
import type { TcaMessage } from '../../../actors/tca/protocol.ts';
import { gasnetLayout } from '../../../machines/tca/gasnet.ts';
import type { ConformanceCase } from './case.ts';
import { agree, pattern } from './judge.ts';
import { enter, leave } from './party.ts';

const alignments = 16;
/** Alignments of sources in a job. */
const sources = 4;
/** More than a store of the processor carries. */
const bytes = 96;
const place = 128;
const putArea = alignments * place;

/** Where the byte with these alignments goes from and to, in areas of its own. */
const sourceAt = (from: number): number => from * place + from;
const targetAt = (from: number, to: number): number => (from * alignments + to) * place + to;

/**
 * C10: all alignments of source and destination. A job for every four of sources.
 *
 * Details: what goes over the wires is judged, too (TCA specification 12.3): a channel reads the memory of the program and writes that of the other one where the low
 * four bits agree; where they do not, it reads a send buffer; with packets forced, no channel writes the memory of a program.
 */
export const everyAlignment: ConformanceCase = {
  id: 'C10',
  title: 'all alignments of source and destination, each moved in its mode',
  mirrors: 'testalign',
  mandatory: true,
  variants: alignments / sources,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const target = party.further(1);
      const froms = Array.from({ length: sources }, (_, k) => variant * sources + k);
      for (const from of froms) yield* gasnet.write(party.own('cpu', sourceAt(from)), pattern(from, bytes));
      const handles: Handle[] = [];
      // Some of the destinations for each source: all of them after sixteen seeds.
      const some = (from: number) => [from, (from + 1 + seed) % alignments, party.draw(alignments)];
      const pairs: (readonly [number, number])[] = [];
      for (const from of froms) for (const to of new Set(some(from))) pairs.push([from, to]);
      for (const [from, to] of pairs) {
        const dst = party.at(target, 'gpu', targetAt(from, to));
        handles.push(yield* gasnet.putNb(dst, party.own('cpu', sourceAt(from)), bytes, { bulk: true }));
      }
      yield* gasnet.waitAll(handles);
      for (const [from, to] of pairs) {
        const back = party.own('cpu', 2 * putArea + from * place + to);
        const src = party.at(target, 'gpu', targetAt(from, to));
        agree('a get', yield* gasnet.get(back, src, bytes), 'OK');
        yield* party.holds(`from ${from} to ${to} modulo 16`, back, pattern(from, bytes));
      }
      yield* leave(party);
    },
  follow: (run, { mode, config }) => {
    const { layout } = gasnetLayout(config, config.gasnet!);
    const segmentOffset = placeOf(segmentBase(layout, 0, 'cpu')).offset;
    const wrong: string[] = [];
    const seen = { together: 0, buffered: 0, whole: 0 };
    run.messages$.subscribe(({ message }) => {
      if (message.event.type !== 'dmac.doorbell') return;
      for (const { src, dst, size, data } of (message.event as unknown as TcaMessage<'dmac.doorbell'>)
        .chain) {
        // Puts of this case are the only ones of their size, and the only ones into the memory of a GPU.
        if (data || size !== bytes || placeOf(dst).region !== 'gpu' || placeOf(src).region === 'gpu')
          continue;
        seen.whole++;
        if ((src - dst) % alignments !== 0)
          wrong.push(`a channel moves ${src} to ${dst}: their low four bits differ`);
        // A send buffer lies before the segment, in which the sources of the case lie.
        if (placeOf(src).offset >= segmentOffset) seen.together++;
        else seen.buffered++;
      }
    });
    return () => {
      if (wrong[0]) return wrong[0];
      if (mode === 'BtoB' && seen.whole > 0)
        return `${seen.whole} puts went by channels into the memory of programs, expected packets`;
      if (mode === 'auto' && (seen.together === 0 || seen.buffered === 0))
        return `${seen.together} puts went straight and ${seen.buffered} by a send buffer, expected both`;
      return undefined;
    };
  },
};
