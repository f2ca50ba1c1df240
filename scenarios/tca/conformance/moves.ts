import type { Handle } from '../../../actors/tca/gasnet/handle.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { ConformanceCase } from './case.ts';
import { agree, pattern, sameBytes } from './judge.ts';
import { enter, type Home, homes, type Kind, leave, type Party } from './party.ts';

const most = 8192;
const place = 8448;
const forms = ['blocking', 'nb', 'nbi'] as const;
type Form = (typeof forms)[number];

/** Puts in a form; what comes back is waited for with the others. */
function* put(
  { gasnet }: Party,
  form: Form,
  dst: number,
  src: number,
  bytes: number,
  bulk: boolean,
): Task<Handle[]> {
  if (form === 'nb') return [yield* gasnet.putNb(dst, src, bytes, { bulk })];
  if (form === 'nbi') agree('an implicit put', yield* gasnet.putNbi(dst, src, bytes, { bulk }), 'OK');
  else agree('a put', yield* gasnet.put(dst, src, bytes), 'OK');
  return [];
}

function* get({ gasnet }: Party, form: Form, dst: number, src: number, bytes: number): Task<Handle[]> {
  if (form === 'nb') return [yield* gasnet.getNb(dst, src, bytes)];
  if (form === 'nbi') agree('an implicit get', yield* gasnet.getNbi(dst, src, bytes), 'OK');
  else agree('a get', yield* gasnet.get(dst, src, bytes), 'OK');
  return [];
}

function* waitFor({ gasnet }: Party, form: Form, handles: readonly Handle[]): Task<void> {
  if (form === 'nb') yield* gasnet.waitAll(handles);
  if (form === 'nbi') agree('the end of implicit ones', yield* gasnet.waitImplicit(), 'OK');
}

/** Forms of puts, and whether their sources have to stay as they are until they are done. */
const puttings: readonly (readonly [Form, boolean])[] = [
  ['blocking', true],
  ['nb', false],
  ['nb', true],
  ['nbi', false],
  ['nbi', true],
];

/** C07: puts and gets of every form and size, values, fills, limits; sources that change at once. A job for each form, and one for values and fills. */
export const putsAndGets: ConformanceCase = {
  id: 'C07',
  title: 'puts and gets of all forms, values, fills; sources that change at once where they may; limits',
  mirrors: 'testgasnet',
  mandatory: true,
  variants: puttings.length + 1,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const { limits } = gasnet;
      agree('largest number of arguments', limits.arguments, 16);
      agree('medium messages of 512 bytes', limits.mediumBytes >= 512, true);
      agree('long messages of 8192 bytes', limits.longBytes >= most, true);
      agree('whole pages', party.own('cpu', 0) % limits.pageBytes, 0);
      const target = party.further(1);
      const putting = puttings[variant];
      if (putting) yield* putAndReadBack(party, target, ...putting);
      else yield* valuesAndFills(party, target);
      yield* leave(party);
    },
};

/** Puts small and large blocks into both memories of a node, and gets them back. */
function* putAndReadBack(party: Party, target: number, form: Form, bulk: boolean): Task<void> {
  const { gasnet } = party;
  const sizes = [1, most, party.size(most), party.size(most)];
  const first = party.draw(3);
  const handles: Handle[] = [];
  const moved: { readonly dst: number; readonly data: Uint8Array }[] = [];
  for (const [k, size] of sizes.entries()) {
    const home = homes[(first + k) % 3]!;
    const src = party.own(home, k * place + party.draw(17));
    const dst = party.at(target, k % 2 === 0 ? 'gpu' : 'cpu', (8 + k) * place + party.draw(17));
    const data = pattern(party.draw(1000), size);
    yield* gasnet.write(src, data);
    handles.push(...(yield* put(party, form, dst, src, size, bulk)));
    // Only the source of a bulk put has to stay as it is.
    if (form === 'blocking' || !bulk) yield* gasnet.write(src, new Uint8Array(size));
    moved.push({ dst, data });
  }
  yield* waitFor(party, form, handles);
  yield* readBack(party, form, moved);
}

/** Gets what was put before, into each home. */
function* readBack(
  party: Party,
  form: Form,
  moved: readonly { readonly dst: number; readonly data: Uint8Array }[],
): Task<void> {
  const handles: Handle[] = [];
  const places: { readonly address: number; readonly data: Uint8Array }[] = [];
  for (const [k, { dst, data }] of moved.entries()) {
    const address = party.own(homes[(k + party.draw(3)) % 3] as Home, (16 + k) * place + party.draw(17));
    yield* party.gasnet.write(address - 1, new Uint8Array(data.length + 2));
    handles.push(...(yield* get(party, form, address, dst, data.length)));
    places.push({ address, data });
  }
  yield* waitFor(party, form, handles);
  for (const { address, data } of places)
    yield* party.holds('what was put and fetched', address - 1, Uint8Array.of(0, ...data, 0));
}

function* valuesAndFills(party: Party, target: number): Task<void> {
  const { gasnet } = party;
  for (const bytes of [4, 1]) {
    const dst = party.at(target, 'cpu', party.draw(64));
    const value = BigInt(party.draw(256 ** bytes));
    agree('a value', yield* gasnet.putValue(dst, value, bytes), 'OK');
    agree('a value that was put', yield* gasnet.getValue(dst, bytes), value);
  }
  const [byte, bytes] = [party.draw(256), party.size(most)];
  const dst = party.at(target, 'gpu', 4 * place + party.draw(17));
  agree('a fill', yield* gasnet.memset(dst, byte, bytes), 'OK');
  const back = party.own('private', 0);
  agree('a get', yield* gasnet.get(back, dst, bytes), 'OK');
  yield* party.holds('what was filled', back, new Uint8Array(bytes).fill(byte));
}

const kinds: readonly Kind[] = ['cpu', 'gpu'];
const slices = 10;
const sliceArea = 6000;

/** C09: slices of random places and lengths, from private memory, into segments and private memory. A job for each kind of memory. */
export const slicesOfMemory: ConformanceCase = {
  id: 'C09',
  title: 'random slices: put from private memory, fetched into segments and private memory',
  mirrors: 'testslice',
  mandatory: true,
  variants: kinds.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const target = party.further(1 + party.draw(party.nodes));
      const source = party.own('private', 0);
      const whole = pattern(party.draw(1000), sliceArea);
      yield* gasnet.write(source, whole);
      const kind = kinds[variant]!;
      // Every rank has an area of its own at every other one.
      const area = party.at(target, kind, 2 * sliceArea * party.rank);
      const copy = new Uint8Array(sliceArea);
      agree('the fill of an area', yield* gasnet.memset(area, 0, sliceArea), 'OK');
      for (let k = 0; k < slices; k++) {
        const size = party.size(2000);
        const at = party.draw(sliceArea - size);
        agree('a slice put', yield* gasnet.put(area + at, source + at, size), 'OK');
        copy.set(whole.subarray(at, at + size), at);
      }
      for (let k = 0; k < slices; k++) {
        const size = party.size(2000);
        const at = party.draw(sliceArea - size);
        const dst = party.own(party.one(homes), 400_000 + party.draw(100));
        agree('a slice fetched', yield* gasnet.get(dst, area + at, size), 'OK');
        yield* party.holds(`the slice of ${size} at ${at}`, dst, copy.slice(at, at + size));
      }
      const all = party.own('private', 2 * sliceArea);
      agree('the area fetched', yield* gasnet.get(all, area, sliceArea), 'OK');
      sameBytes('the whole area', yield* gasnet.read(all, sliceArea), copy);
      yield* leave(party);
    },
};

/** C08: values of 1 to 8 bytes. A job for each form. */
export const values: ConformanceCase = {
  id: 'C08',
  title: 'values of 1 to 8 bytes: blocking, nb and nbi; their neighbours stay as they are',
  mirrors: 'testval',
  mandatory: true,
  variants: forms.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const form = forms[variant]!;
      for (const target of new Set([party.further(1), party.rank])) {
        const area = party.at(target, party.one(['cpu', 'gpu']), 4096 * (1 + party.rank));
        agree('the fill of an area', yield* gasnet.memset(area, 255, 160), 'OK');
        const expected = new Uint8Array(160).fill(255);
        const handles: Handle[] = [];
        const wanted: { readonly at: number; readonly bytes: number; readonly value: bigint }[] = [];
        for (let bytes = 1; bytes <= 8; bytes++) {
          const at = 16 * bytes + party.draw(9);
          const given = (BigInt(party.draw(2 ** 31)) << 33n) | BigInt(party.draw(2 ** 31));
          const value = BigInt.asUintN(8 * bytes, given);
          // Bytes above those that are meant do not matter.
          if (form === 'nb') handles.push(yield* gasnet.putValueNb(area + at, given, bytes));
          else if (form === 'nbi')
            agree('an implicit value', yield* gasnet.putValueNbi(area + at, given, bytes), 'OK');
          else agree('a value', yield* gasnet.putValue(area + at, given, bytes), 'OK');
          for (let k = 0; k < bytes; k++) expected[at + k] = Number((value >> BigInt(8 * k)) & 255n);
          wanted.push({ at, bytes, value });
        }
        yield* waitFor(party, form, handles);
        const asked: Handle[] = [];
        for (const { at, bytes, value } of wanted)
          if (form === 'nb') asked.push(yield* gasnet.getValueNb(area + at, bytes));
          else agree(`a value of ${bytes} bytes`, yield* gasnet.getValue(area + at, bytes), value);
        for (const [k, handle] of asked.entries())
          agree(`a value of ${k + 1} bytes, asked for`, yield* gasnet.waitValue(handle), wanted[k]!.value);
        const back = party.own('private', 0);
        agree('the area fetched', yield* gasnet.get(back, area, 160), 'OK');
        yield* party.holds('the neighbours of values', back, expected);
      }
      agree('a value of 9 bytes', yield* gasnet.putValue(party.own('cpu', 0), 1, 9), 'BAD_ARG');
      yield* leave(party);
    },
};

/** C12: fills. A job for each form. */
export const fills: ConformanceCase = {
  id: 'C12',
  title: 'fills of all forms and both memories; what lies beside them stays as it is',
  mirrors: 'testmemset',
  mandatory: true,
  variants: forms.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const target = party.further(1);
      const area = 12_000;
      const form = forms[variant]!;
      const handles: Handle[] = [];
      const expected = new Map<Kind, Uint8Array>();
      for (const kind of kinds) {
        const all = new Uint8Array(area).fill(17);
        const base = party.at(target, kind, 0);
        agree('the fill of an area', yield* gasnet.memset(base, 17, area), 'OK');
        for (const [k, size] of [1, 4000, party.size(3900)].entries()) {
          const at = 4000 * k + (size === 4000 ? 0 : party.draw(64));
          const byte = party.draw(256);
          if (form === 'nb') handles.push(yield* gasnet.memsetNb(base + at, byte, size));
          else if (form === 'nbi')
            agree('an implicit fill', yield* gasnet.memsetNbi(base + at, byte, size), 'OK');
          else agree('a fill', yield* gasnet.memset(base + at, byte, size), 'OK');
          all.fill(byte, at, at + size);
        }
        expected.set(kind, all);
      }
      yield* waitFor(party, form, handles);
      const back = party.own('private', party.draw(16));
      for (const [kind, all] of expected) {
        agree('the area fetched', yield* gasnet.get(back, party.at(target, kind, 0), area), 'OK');
        yield* party.holds(`filled ${kind} memory`, back, all);
      }
      yield* leave(party);
    },
};
