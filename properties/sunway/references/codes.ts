import type { SunwayConfig } from '../../../machines/sunway/config.ts';

/*
 * What calls of the slave side get for their arguments (Sunway specification 2.3, 3.1, 3.2, 6, 11): all codes that the arguments deserve. Which of several is told is nobody's business.
 */

const [state, align, length, range, space, strided] = [4, 10, 11, 12, 13, 14];
const [tidCode, mask, root, word, dataType, operation, overlap] = [15, 16, 17, 18, 19, 20, 21];
const argumentCode = 22;

type Space = 'ldm' | 'remote' | 'shared' | 'memory' | 'cross';
const ldmEnd = 2 ** 18;
const reserved = 4096;

/** A CPE that calls, and what it knows. */
export interface Caller {
  readonly tid: number;
  /** Numbers of CPEs that take part in anything. */
  readonly available: ReadonlySet<number>;
  /** Parallel tables that it has made: rows by first byte. */
  readonly tables: ReadonlyMap<number, number>;
}

/** Arguments of a call by the names of the manual. */
export type Arguments = Readonly<Record<string, unknown>>;

const bytesOfTypes: Readonly<Record<number, number>> = {
  ...{ 0: 4, 1: 4, 2: 8, 3: 8, 4: 4, 5: 8 },
  ...{ 12: 64, 13: 64, 14: 64, 15: 64, 16: 32, 17: 64 },
};
const reals = new Set([4, 5, 16, 17]);

/** Finds what is wrong with the arguments of one call. */
class Judge {
  readonly codes = new Set<number>();
  readonly #config: SunwayConfig;

  constructor(config: SunwayConfig) {
    this.#config = config;
  }

  wrong(is: boolean, code: number): void {
    if (is) this.codes.add(code);
  }

  length(bytes: number): void {
    this.wrong(!(Number.isInteger(bytes) && bytes > 0 && bytes % 4 === 0 && bytes <= 262_140), length!);
  }

  count(many: number): void {
    this.wrong(!(Number.isInteger(many) && many >= 1), length!);
  }

  aligned(to: number, ...addresses: readonly number[]): void {
    this.wrong(
      addresses.some((one) => one % to !== 0),
      align!,
    );
  }

  /** The space of an address, and the first address behind it. */
  #spaceOf(address: number): readonly [Space, number] | undefined {
    const { cgs, memoryMiB, crossMiB, sldm } = this.#config;
    const within = (name: Space, first: number, bytes: number): readonly [Space, number] | undefined =>
      address >= first && address < first + bytes ? [name, first + bytes] : undefined;
    if (address < ldmEnd) return within('ldm', 0, ldmEnd);
    if (address < 2 ** 45)
      return within('shared', 2 ** 44, [4, 8, 16, 32, 64, 64][sldm.mode]! * sldm.sizeKiB * 1024);
    if (address < 2 ** 45 + 64 * 2 ** 20) return within('remote', address - (address % 2 ** 20), ldmEnd);
    if (address >= 0x7800_0000_0000) return within('cross', 0x7800_0000_0000, crossMiB * 2 ** 20);
    const cg = Math.floor((address - 0x5000_0000_0000) / 0x10_0000_0000);
    return cg < cgs
      ? within('memory', 0x5000_0000_0000 + cg * 0x10_0000_0000, memoryMiB * 2 ** 20)
      : undefined;
  }

  inside(spaces: readonly Space[], address: number, bytes: number): void {
    const found = this.#spaceOf(address);
    if (found === undefined) this.wrong(true, range!);
    else if (!spaces.includes(found[0])) this.wrong(true, space!);
    else {
      const offset = found[0] === 'ldm' ? address : found[0] === 'remote' ? address % 2 ** 20 : reserved;
      this.wrong(offset < reserved || address + bytes > found[1], range!);
    }
  }

  word(address: number, mayBeNone: boolean): void {
    if (address === 0 && mayBeNone) return;
    this.wrong(address % 4 !== 0 || address < reserved || address + 4 > ldmEnd, word!);
  }

  apart(a: number, aBytes: number, b: number, bBytes: number): void {
    this.wrong(a < b + bBytes && b < a + aBytes, overlap!);
  }
}

const everywhere: readonly Space[] = ['ldm', 'remote', 'shared', 'memory', 'cross'];
const mainMemory: readonly Space[] = ['memory', 'cross'];

/** The codes that a call deserves; none for one that succeeds, undefined for one that this says nothing about. */
export function codesOf(
  name: string,
  given: Arguments,
  caller: Caller,
  config: SunwayConfig,
): ReadonlySet<number> | undefined {
  const judge = new Judge(config);
  const number = (key: string): number => given[key] as number;
  const { tid, available } = caller;
  const isHere = (one: number): boolean => available.has(one);
  const dma = (ldm: number, memory: number): void => {
    const [len, bsize, stride] = [number('len'), number('bsize'), number('stride')];
    judge.length(len);
    judge.aligned(4, ldm, memory);
    const blocks = stride === 0 ? 1 : len / bsize;
    if (stride !== 0)
      judge.wrong(
        stride < 0 || stride % 4 !== 0 || bsize <= 0 || bsize % 4 !== 0 || bsize > len || len % bsize !== 0,
        strided!,
      );
    judge.inside(['ldm'], ldm, len);
    judge.inside(mainMemory, memory, len + (blocks - 1) * stride);
    if ('rply' in given) judge.word(number('rply'), true);
  };

  if ('barrier' in given) {
    const half = given['barrier'] === 'col_left' ? 0 : given['barrier'] === 'col_right' ? 1 : undefined;
    const isManual = config.sync.colLeftRight === 'manual';
    const own = Math.floor((isManual ? tid % 8 : tid / 8) / 4);
    judge.wrong(half !== undefined && own !== half, isManual ? state! : mask!);
    return judge.codes;
  }
  if ('orders' in given || 'lock' in given) return judge.codes;
  if ('root' in given) {
    const group = given['group'];
    const at = number('root');
    judge.length(number('len'));
    judge.aligned(4, number('dst'), number('src'));
    judge.inside(['ldm'], number('dst'), number('len'));
    judge.inside(['ldm'], number('src'), number('len'));
    const count = group === 'array' ? 64 : 8;
    const one = group === 'array' ? at : group === 'row' ? tid - (tid % 8) + at : 8 * at + (tid % 8);
    judge.wrong(!(at >= 0 && at < count && isHere(one)), root!);
    return judge.codes;
  }
  if ('other' in given) {
    judge.length(number('len'));
    judge.aligned(4, number('dst'), number('src'));
    if ('mask' in given) judge.wrong(!(number('mask') >= 1 && number('mask') <= 255), mask!);
    judge.inside(['ldm'], number('dst'), number('len'));
    judge.inside(['ldm'], number('src'), number('len'));
    if ('l_rply' in given) judge.word(number('l_rply'), true);
    judge.word(number('r_rply'), true);
    return judge.codes;
  }
  if (/^dma_i?put/.test(name)) {
    dma(number('src'), number('dst'));
    return judge.codes;
  }
  if (/^dma_(i?get|.*bcast)/.test(name)) {
    dma(number('dst'), number('src'));
    return judge.codes;
  }
  if (/^rma_i?(get|put)$/.test(name)) {
    judge.length(number('len'));
    judge.aligned(4, number('l_addr'), number('r_addr'));
    judge.wrong(!isHere(number('r_tid')), tidCode!);
    judge.inside(['ldm'], number('l_addr'), number('len'));
    judge.inside(['ldm'], number('r_addr'), number('len'));
    if ('l_rply' in given) judge.word(number('l_rply'), true);
    judge.word(number('r_rply'), true);
    return judge.codes;
  }
  switch (name) {
    case 'ld':
    case 'st':
    case 'ldBlock':
    case 'stBlock': {
      const bytes = 'bytes' in given ? number('bytes') : (given['data'] as Uint8Array).length;
      judge.count(bytes);
      judge.aligned(4, number('address'));
      judge.inside(everywhere, number('address'), bytes);
      return judge.codes;
    }
    case 'faa':
    case 'user_lock':
    case 'user_unlock':
      judge.aligned(4, number('address'));
      judge.inside(mainMemory, number('address'), 4);
      return judge.codes;
    case 'dma_wait_value':
    case 'rma_wait_value':
      judge.word(number('rply'), false);
      return judge.codes;
    case 'ssync_peer':
    case 'synp':
      judge.wrong(number('tid') === tid || !isHere(number('tid')), tidCode!);
      return judge.codes;
    case 'synr':
    case 'sync': {
      const bits = number('mask');
      const own = name === 'synr' ? tid % 8 : Math.floor(tid / 8);
      judge.wrong(!(bits >= 1 && bits <= 255) || Math.floor(bits / 2 ** own) % 2 === 0, mask!);
      return judge.codes;
    }
    case 'get_ptab_addr':
      judge.aligned(64, number('ptable'));
      judge.inside(['ldm'], number('ptable'), 64);
      return judge.codes;
    case 'ptab_cpy':
    case 'ptab_cpy16': {
      const all = given['orig_table_addr'] as number | readonly number[];
      const tables = typeof all === 'number' ? [all] : all.slice(0, number('num'));
      const rows = number('unit');
      judge.count(rows);
      if (typeof all !== 'number') {
        judge.count(number('num'));
        judge.wrong(number('num') > Math.min(16, all.length), length!);
      }
      judge.aligned(64, number('ptable'));
      judge.aligned(4, ...tables);
      judge.inside(['ldm'], number('ptable'), 64 * rows);
      for (const one of tables) judge.inside(['ldm'], one, 4 * rows);
      return judge.codes;
    }
    case 'ptab_lookup':
    case 'ptab_write': {
      const lanes = [given['voffset'], given['vbase_addr'], given['value'] ?? given['voffset']];
      const [offsets, bases] = lanes as readonly (readonly number[])[];
      judge.wrong(
        lanes.some((one) => (one as readonly number[]).length !== 16),
        length!,
      );
      for (const [lane, offset] of offsets!.entries()) {
        judge.aligned(4, offset);
        const base = bases![lane] ?? 0;
        const at = 64 * Math.floor(((base + offset) % 2 ** 32) / 4) + 4 * lane;
        const rows = caller.tables.get(16 * base);
        judge.wrong(at < reserved || at + 4 > ldmEnd || (rows !== undefined && offset >= 4 * rows), range!);
      }
      return judge.codes;
    }
    case 'scache_evict':
      judge.wrong(number('end') < number('start'), range!);
      judge.inside(mainMemory, number('start'), 1);
      judge.inside(mainMemory, number('end'), 1);
      return judge.codes;
    case 'scoll_alltoall': {
      const [from, to, unit] = [number('src_addr'), number('dest_addr'), number('units_size')];
      judge.length(unit);
      judge.aligned(4, from, to);
      for (const one of [from, to]) judge.inside(['ldm'], one, 64 * unit);
      judge.apart(from, 64 * unit, to, 64 * unit);
      return judge.codes;
    }
    case 'scoll_alltoall_inplace': {
      const [from, unit, scratch, many] = [
        ...[number('src_addr'), number('units_size'), number('buf'), number('buf_item')],
      ] as [number, number, number, number];
      judge.length(unit);
      judge.count(many);
      judge.aligned(4, from, scratch);
      judge.inside(['ldm'], from, 64 * unit);
      judge.inside(['ldm'], scratch, many * unit);
      judge.apart(from, 64 * unit, scratch, many * unit);
      return judge.codes;
    }
    case 'scoll_redurt': {
      const [type, what, units, many] = [
        number('dtype'),
        number('optype'),
        number('units'),
        number('buf_item'),
      ];
      const bytes = bytesOfTypes[type];
      judge.wrong(bytes === undefined, dataType!);
      judge.wrong(!(what >= 1 && what <= 7) || (reals.has(type) && what >= 2 && what <= 5), operation!);
      judge.count(units);
      judge.count(many);
      const [from, to, scratch] = [number('src_addr'), number('dest_addr'), number('redu_buf')];
      judge.aligned(4, from, to, scratch);
      const [size, used] = [units * (bytes ?? 4), Math.min(units, many) * (bytes ?? 4)];
      for (const one of [from, to]) judge.inside(['ldm'], one, size);
      judge.inside(['ldm'], scratch, used);
      if (from !== to) judge.apart(from, size, to, size);
      judge.apart(scratch, used, from, size);
      judge.apart(scratch, used, to, size);
      return judge.codes;
    }
    case 'memcpy_sldm':
    case 'sldm_get': {
      const [to, from, len] = [number('dst'), number('src'), number('len')];
      judge.wrong(config.sldm.sizeKiB === 0, state!);
      judge.length(len);
      judge.aligned(4, to, from);
      if (name === 'sldm_get') {
        judge.inside(['ldm'], to, len);
        judge.inside(['shared'], from, len);
        return judge.codes;
      }
      const direction = number('direction');
      judge.wrong(direction !== 0x9000_1000 && direction !== 0x9000_2000, space!);
      const loads = direction === 0x9000_1000;
      judge.inside(['shared'], loads ? to : from, len);
      judge.inside(mainMemory, loads ? from : to, len);
      return judge.codes;
    }
    case 'sio_fwrite':
      judge.wrong(given['filename'] === '', argumentCode);
      if (number('size') === 0) return judge.codes;
      judge.count(number('size'));
      judge.inside(['ldm', 'memory', 'cross'], number('src'), number('size'));
      return judge.codes;
    case 'compute':
      judge.wrong(number('cycles') < 0, length!);
      return judge.codes;
    case 'ssig_host':
      judge.wrong(number('content') < 0, range!);
      return judge.codes;
    case 'ssync_sldm':
    case 'ssync_node':
    case 'ssync_master_spe':
    case 'ssync_master_array':
    case 'tell':
    case 'stime_cycle':
    case 'scache_get_size':
    case 'scache_flush_all':
    case 'get_free_addr':
      return judge.codes;
    default:
      return /^(smng_|pldm_)/.test(name) ? judge.codes : undefined;
  }
}
