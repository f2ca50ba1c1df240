import { type Place, placeOf } from '../address/space.ts';
import type { Primitive } from '../crts/primitive.ts';
import { returnCode } from '../return-code.ts';
import { remoteAccessCycles } from '../timing/sync-time.ts';
import type { CpeOut, CpeState } from './cpe-state.ts';

type Access = Extract<Primitive, { readonly op: 'read' | 'write' | 'add' }>;

const bytesOf = (access: Access): number => {
  switch (access.op) {
    case 'read':
      return access.bytes;
    case 'write':
      return access.data.length;
    case 'add':
      return 4;
  }
};

/** Widest access of a program: a vector of 512 bits. */
const widestBytes = 64;

/** The place of an access, or the code for one that lies nowhere or leaves its space. */
export function placeOfAccess(c: CpeState, access: Access): Place | number {
  const { sizes } = c.spec.value.facts;
  const bytes = bytesOf(access);
  const place = placeOf(access.address, sizes);
  const last = placeOf(access.address + Math.max(bytes, 1) - 1, sizes);
  if (place === undefined || last === undefined || place.space !== last.space) return returnCode.E_RANGE;
  if (access.op === 'add' && place.space !== 'memory' && place.space !== 'cross') return returnCode.E_SPACE;
  if (bytes < 1) return returnCode.E_LEN;
  // Less than a word is what the runtime reads of the ends of a range: byte by byte.
  return bytes < 4 || access.address % 4 === 0 ? place : returnCode.E_ALIGN;
}

/** Sends an access on its way (specification 2.3, 9.1). */
export function sendAccess(c: CpeState, access: Access, place: Place, out: CpeOut): void {
  const { timing, identity } = c.spec.value.facts;
  const { ldm } = timing;
  const portCycles = Math.ceil(bytesOf(access) / ldm.bytesPerCycle) - 1;
  switch (place.space) {
    case 'ldm':
      toLdm(c, access, identity.tid, place.offset, 1, ldm.latency + portCycles, out);
      return;
    case 'remote': {
      const cycles = remoteAccessCycles(timing, identity.tid, place.tid);
      toLdm(c, access, place.tid, place.offset, Math.ceil(cycles / 2), cycles + portCycles, out);
      return;
    }
    case 'memory':
    case 'cross':
      toMemory(c, access, out);
      return;
    case 'shared':
      throw new Error('shared LDM is not part of this node');
  }
}

function toLdm(
  c: CpeState,
  access: Access,
  tid: number,
  offset: number,
  delay: number,
  cycles: number,
  out: CpeOut,
): void {
  const { ldms, facts } = c.spec.value;
  const to = ldms[tid]!;
  const answerDelay = Math.max(1, cycles - delay);
  const { core } = facts;
  if (access.op === 'read') {
    const { bytes, flag } = access;
    out.post({
      type: 'ldm.read',
      to,
      offset,
      tag: 0,
      core,
      answerDelay,
      delay,
      bytes,
      flag,
    });
  } else if (access.op === 'write') {
    const { data, flag } = access;
    out.post({
      type: 'ldm.write',
      to,
      offset,
      tag: 0,
      core,
      answerDelay,
      delay,
      data,
      flag,
    });
  }
}

const nothing = new Uint8Array(0);

/** Through the data cache. What it does not serve (all without one, flags, additions) is one access after the other, each as wide as a vector. */
function toMemory(c: CpeState, access: Access, out: CpeOut): void {
  const { self, routes, cache, facts } = c.spec.value;
  const { timing, core } = facts;
  const { address } = access;
  const bytes = bytesOf(access);
  const past = access.op === 'add' || access.flag || cache === null;
  const latency =
    access.op === 'add' ? timing.faa.latency : timing.gld.latency * Math.ceil(bytes / widestBytes);
  out.post({
    to: past
      ? routes.find(({ first, bytes: size }) => address >= first && address < first + size)!.to
      : cache,
    type: 'memory.access',
    kind: access.op === 'read' ? 'load' : access.op === 'write' ? 'store' : 'add',
    memory: address,
    bytes,
    data: access.op === 'write' ? access.data : nothing,
    value: access.op === 'add' ? access.value : 0,
    core,
    flag: access.op === 'add' || access.flag,
    requester: self,
    answerDelay: Math.max(1, latency - 1),
    delay: 1,
  });
}
