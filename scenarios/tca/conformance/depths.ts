import type { Handle } from '../../../actors/tca/gasnet/handle.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { ConformanceCase } from './case.ts';
import { agree, pattern } from './judge.ts';
import { enter, homes, leave, type Party } from './party.ts';

const most = 16_384;
const syncs = ['all', 'each', 'some', 'testAll', 'test', 'region', 'implicit', 'testImplicit'] as const;
type Sync = (typeof syncs)[number];

/** Waits in one of the ways that there are. */
function* finish({ gasnet }: Party, how: Sync, given: readonly Handle[]): Task<void> {
  let handles = [...given];
  switch (how) {
    case 'all':
    case 'region':
      yield* gasnet.waitAll(handles);
      return;
    case 'each':
      for (const handle of handles.reverse()) yield* gasnet.wait(handle);
      return;
    case 'some':
      while (handles.length > 0) {
        const done = yield* gasnet.waitSome(handles);
        agree('one at least is done', done.includes(true), true);
        handles = handles.filter((_, k) => !done[k]);
      }
      return;
    case 'testAll':
      while (!(yield* gasnet.testAll(handles))) yield* gasnet.compute(200);
      return;
    case 'test':
      for (const handle of handles) while (!(yield* gasnet.test(handle))) yield* gasnet.compute(200);
      return;
    case 'implicit':
      agree('the wait', yield* gasnet.waitImplicit(), 'OK');
      return;
    case 'testImplicit':
      while (!(yield* gasnet.testImplicit())) yield* gasnet.poll();
      return;
    default:
      how satisfies never;
  }
}

/** C11: many at once of every size, waited for in every way; a job for each way. */
export const depths: ConformanceCase = {
  id: 'C11',
  title: 'puts and gets of all sizes, 1 to 16 at once, waited for in every way',
  mirrors: 'testsmall, testlarge, testqueue, testlogGP, testrand',
  mandatory: true,
  variants: syncs.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const how = syncs[variant]!;
      const depth = party.one([1, 2, 4, 16]);
      const implicit = how === 'implicit' || how === 'testImplicit' || how === 'region';
      const size = Math.max(1, Math.floor(party.size(most) / (depth === 16 ? 8 : 1)));
      const target = party.further(1 + party.draw(party.nodes));
      const places = Array.from({ length: depth }, (_, k) => ({
        src: party.own(homes[k % 3]!, k * (size + 4) + party.draw(4)),
        // Each rank writes to a place of its own.
        dst: party.at(target, k % 2 === 0 ? 'cpu' : 'gpu', 2 ** 17 + party.rank * 2 ** 16 + k * size),
        back: party.own('private', 2 ** 17 + k * size),
        data: pattern(party.draw(1000), size),
      }));
      for (const { src, data } of places) yield* gasnet.write(src, data);
      for (const way of ['put', 'get'] as const) {
        const handles: Handle[] = [];
        if (how === 'region') agree('the region', yield* gasnet.beginRegion(), 'OK');
        for (const { src, dst, back, data } of places)
          if (way === 'put') {
            if (implicit) agree('a put', yield* gasnet.putNbi(dst, src, data.length, { bulk: true }), 'OK');
            else handles.push(yield* gasnet.putNb(dst, src, data.length, { bulk: true }));
          } else if (implicit) agree('a get', yield* gasnet.getNbi(back, dst, data.length), 'OK');
          else handles.push(yield* gasnet.getNb(back, dst, data.length));
        if (how === 'region') handles.push(yield* gasnet.endRegion());
        yield* finish(party, how, handles);
      }
      for (const { back, data } of places) yield* party.holds(`${depth} at once, ${how}`, back, data);
      yield* leave(party);
    },
};
