import type { AccessType } from '../../actors/sunway/access-type.ts';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { MpeApi, MpeOperation } from '../../actors/sunway/mpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { formsOf, isStart, type Side } from './call-forms.ts';
import { writtenAt } from './monitors/program-trace.ts';
import type { OperationProgram, WrittenArgument, WrittenCall } from './operations.ts';

/** What written arguments stand for at one core. */
interface Place {
  readonly side: Side;
  /** Number of the CPE; 0 at a host. */
  readonly tid: number;
  readonly cpes: number;
  /** Where the buffer in main memory begins. */
  readonly memory: number;
  /** Offsets of static variables and reply words. */
  readonly names: ReadonlyMap<string, number>;
  /** Addresses of the blocks that the CPE has allocated, in the order of its calls. */
  readonly blocks: number[];
}

const staticAlign = 64;

/** The host program that carries out what is written, with the slave program that it starts on `cpes` CPEs. */
export function hostProgramOf(written: OperationProgram, cpes: number): MpeProgram {
  const slave = slaveProgramOf(written, cpes);
  const { bytes, fill } = written.memory;
  return function* (h) {
    yield writtenAt('host', h.init());
    const memory = h.memAlloc(bytes, 128, 'programs.memory');
    if (bytes > 0) yield writtenAt('memory', h.stBlock(memory, filledWith(fill, bytes)));
    const place: Place = { side: 'host', tid: 0, cpes, memory, names: new Map(), blocks: [] };
    if (written.handler.length > 0)
      yield h.sig_user_init(function* () {
        for (const [index, call] of written.handler.entries())
          yield writtenAt(`handler[${index}]`, hostOperation(h, slave, call, place));
      });
    for (const [index, call] of written.host.entries())
      yield writtenAt(`host[${index}]`, hostOperation(h, slave, call, place));
    if (bytes > 0) yield h.tell('memory', digestOf(yield* h.ldBlock(memory, 'u32', Math.floor(bytes / 4))));
  };
}

function slaveProgramOf({ statics, replies, slave }: OperationProgram, cpes: number): CpeProgram {
  return function* (c, memory) {
    const names = new Map<string, number>([
      ...Object.entries(statics).map(
        ([name, bytes]) => [name, c.ldmStatic(name, bytes, staticAlign)] as const,
      ),
      ...replies.map((name) => [name, c.rply(name) as number] as const),
    ]);
    const place: Place = { side: 'slave', tid: c.tid, cpes, memory, names, blocks: [] };
    for (const [index, step] of slave.entries()) {
      const calls = !('on' in step) ? [step] : step.on.includes(c.tid) ? step.do : [];
      for (const [inner, call] of calls.entries()) {
        const written = `slave[${index}]${'on' in step ? `.do[${inner}]` : ''}`;
        const answer = yield writtenAt(written, slaveOperation(c, call, place));
        if (allocations.has(call[0])) place.blocks.push(Number(answer) % allocatedSpan);
      }
    }
  };
}

/** Calls that give a block; those that also tell its size do so above the bits of its address (specification 6.4). */
const allocations = new Set(['pldm_malloc', 'ldm_malloc', 'pldm_malloc_max', 'ldm_malloc_max']);
const allocatedSpan = 2 ** 18;

function slaveOperation(c: CpeApi, call: WrittenCall, place: Place): CpeOperation {
  // The check has compared names and arguments with the calls of the runtime.
  const calls = c as unknown as Readonly<Record<string, (...given: readonly unknown[]) => CpeOperation>>;
  return calls[call[0]]!(...argumentsOf(call, place));
}

function hostOperation(h: MpeApi, slave: CpeProgram, call: WrittenCall, place: Place): MpeOperation {
  // As above.
  const calls = h as unknown as Readonly<Record<string, (...given: readonly unknown[]) => MpeOperation>>;
  const started = isStart(call[0]) ? [slave, place.memory] : [];
  return calls[call[0]]!(...argumentsOf(call, place), ...started);
}

function argumentsOf([name, ...written]: WrittenCall, place: Place): readonly unknown[] {
  const forms = formsOf(name, place.side);
  const given = written.map((one, index) => {
    switch (forms[index]) {
      case 'bytes':
        return Uint8Array.from(one as readonly number[]);
      case 'value':
        return numberOf(one, place);
      default:
        return one;
    }
  });
  const type = written[forms.indexOf('type')] as AccessType | undefined;
  const isWide = name === 'st' && (type === 'i64' || type === 'u64');
  return isWide ? given.map((one, index) => (index === 2 ? BigInt(one as number) : one)) : given;
}

function numberOf(written: WrittenArgument, { tid, cpes, memory, names, blocks }: Place): number | null {
  if (written === null || typeof written === 'number') return written;
  if (typeof written === 'string') return names.get(written)!;
  if ('of' in written) return names.get(written.of)! + written.plus + written.perCpe * tid;
  if ('memory' in written) return memory + written.memory + written.perCpe * tid;
  // A block that was never allocated is NULL, which its call refuses.
  if ('block' in written) return (blocks[written.block] ?? 0) + written.plus;
  if ('number' in written) return written.number + written.perCpe * tid;
  if ('peer' in written) return (((tid + written.peer) % cpes) + cpes) % cpes;
  return null;
}

function filledWith(fill: number, bytes: number): Uint8Array {
  const data = new Uint8Array(bytes);
  if (fill > 0) for (let k = 0; k < bytes; k++) data[k] = (fill * k + Math.floor(k / 256)) % 251;
  return data;
}

/** FNV-1a over words, as eight hexadecimal digits: equal for equal memories. */
function digestOf(words: ArrayLike<number>): string {
  let digest = 0x811c9dc5;
  for (let k = 0; k < words.length; k++) digest = Math.imul(digest ^ words[k]!, 0x01000193) >>> 0;
  return digest.toString(16).padStart(8, '0');
}
