import { isBarrier } from '../../../../actors/sunway/engine/queues.ts';
import type { LdmContext } from '../../../../actors/sunway/ldm.ts';
import type { DescriptorIssue } from '../../../../actors/sunway/messages.ts';
import { clusters, flitBytes } from '../../../../actors/sunway/network/packet.ts';
import { neighbourOf } from '../../../../actors/sunway/network/ports.ts';
import type { PortCounts } from '../../../../actors/sunway/network/router-input.ts';
import type {
  CallBegin,
  CallEnd,
  CoreRuns,
  CoreWaits,
  TransferComplete,
} from '../../../../actors/sunway/probes.ts';
import type { Run } from '../../../../kernel/run.ts';
import type { SunwayConfig } from '../../config.ts';
import { coreOfNumber, PartNames } from '../part-names.ts';
import type { ProgramPlaces } from '../program-places.ts';
import { type CoreId, coresPerGroup, groupOf, mainMemory } from '../race/race-event.ts';
import { transferEvent } from '../transfer-event.ts';
import type { TransferActivity } from './activity.ts';
import type { ActivityRecord } from './activity-log.ts';
import { awaitedBy, awaitedByHost } from './awaited.ts';

type OpenWait = NonNullable<ReturnType<typeof awaitedBy>> & { readonly from: number };

/** A thread or a host process, as far as it has come. */
interface Thread {
  /** Operations whose places are worth telling. */
  readonly steps: Set<number>;
}

/**
 * Tells what cores and engines do, from messages and probes, as records.
 *
 * Use `attach` before the first step, and `finish` when the run is over: calls, waits and transfers that have not ended yet are told then.
 */
export class ActivityRecorder {
  readonly #config: SunwayConfig;
  readonly #take: (record: ActivityRecord) => void;
  readonly #names = new PartNames();
  readonly #transfers = new Map<number, TransferActivity>();
  readonly #inCall = new Map<
    CoreId,
    { readonly call: string; readonly step: number; readonly from: number }
  >();
  readonly #inWait = new Map<CoreId, OpenWait>();
  readonly #threads = new Map<CoreId, Thread>();
  #places: ProgramPlaces | undefined;
  #run: Pick<Run, 'part'> | undefined;
  #now = 0;

  constructor(config: SunwayConfig, take: (record: ActivityRecord) => void) {
    this.#config = config;
    this.#take = take;
  }

  /** Listens to a run; with `places`, which listens since before, places in programs are told as well. */
  attach(run: Pick<Run, 'messages$' | 'probes$' | 'part'>, places?: ProgramPlaces): void {
    this.#run = run;
    this.#places = places;
    run.messages$.subscribe(({ message, from }) => {
      const { event, due } = message;
      this.#now = due;
      if (event.type === 'descriptor.issue')
        this.#issue(due, this.#names.of(from)!.core, event as DescriptorIssue);
      else if (event.type === 'drain.request') this.#endThread(this.#names.of(from)!.core, from);
    });
    run.probes$.subscribe(({ tick, probe }) => {
      this.#now = tick;
      switch (probe.type) {
        case 'call.begin':
          this.#beginCall(tick, probe as CallBegin);
          break;
        case 'call.end':
          this.#endCall(tick, coreOfNumber((probe as CallEnd).core));
          break;
        case 'core.waits': {
          const { core, on } = probe as CoreWaits;
          this.#beginWait(tick, coreOfNumber(core), awaitedBy(on));
          break;
        }
        case 'core.runs':
          this.#endWait(tick, coreOfNumber((probe as CoreRuns).core));
          break;
        case 'transfer.complete': {
          const { transfer } = probe as TransferComplete;
          const known = this.#transfers.get(transfer);
          if (!known) break;
          this.#transfers.delete(transfer);
          this.#take({ record: 'transfer', ...known, done: tick });
          break;
        }
        default:
          break;
      }
    });
  }

  /** The run is over. */
  finish(): void {
    for (const core of [...this.#inCall.keys()]) this.#endCall(this.#now, core, true);
    for (const one of this.#transfers.values()) this.#take({ record: 'transfer', ...one });
    this.#transfers.clear();
    for (const core of [...this.#threads.keys()])
      this.#endThread(core, `Cg[${groupOf(core)}].Cpe[${core % coresPerGroup}]`);
    if (this.#config.fidelity === 'flit') this.#tellLinks();
  }

  /** What the routers have counted, once. */
  #tellLinks(): void {
    const run = this.#run;
    this.#run = undefined;
    if (!run) return;
    for (let group = 0; group < this.#config.cgs; group++)
      for (let from = 0; from < clusters; from++) {
        // What was placed under this name knows this.
        const { flitsOut } = run.part(`Cg[${group}].Router[${from}]`).context as unknown as PortCounts;
        for (const [port, flits] of flitsOut.entries()) {
          const to = neighbourOf(from, port);
          if (flits > 0 && to >= 0) this.#take({ record: 'link', group, from, to, bytes: flits * flitBytes });
        }
      }
  }

  #thread(core: CoreId): Thread {
    const known = this.#threads.get(core);
    if (known) return known;
    const made = { steps: new Set<number>() };
    this.#threads.set(core, made);
    return made;
  }

  #beginCall(tick: number, { core: number, name, step, arguments: given }: CallBegin): void {
    const core = coreOfNumber(number);
    this.#thread(core);
    this.#inCall.set(core, { call: name, step, from: tick });
    // A host process tells its calls, not its primitives.
    if (number < 0) this.#beginWait(tick, core, awaitedByHost(name, given));
  }

  #endCall(to: number, core: CoreId, open = false): void {
    this.#endWait(to, core, open);
    const begun = this.#inCall.get(core);
    if (begun) this.#take({ record: 'call', core, from: begun.from, to, call: begun.call });
    this.#inCall.delete(core);
  }

  #beginWait(from: number, core: CoreId, awaited: ReturnType<typeof awaitedBy>): void {
    if (awaited) this.#inWait.set(core, { ...awaited, from });
  }

  #endWait(to: number, core: CoreId, open = false): void {
    const begun = this.#inWait.get(core);
    if (!begun) return;
    this.#inWait.delete(core);
    if (to <= begun.from && !open) return;
    const { call, step } = this.#callOf(core);
    this.#thread(core).steps.add(step);
    const { from, waitsFor, on } = begun;
    this.#take({ record: 'wait', core, from, to, waitsFor, on, call, step, ...(open && { open }) });
  }

  #callOf(core: CoreId): { readonly call: string; readonly step: number } {
    return this.#inCall.get(core) ?? { call: 'the start', step: 0 };
  }

  #issue(tick: number, issuer: CoreId, descriptor: DescriptorIssue): void {
    if (isBarrier(descriptor)) return;
    const event = transferEvent(descriptor, groupOf(issuer), this.#config.cpesPerCg);
    if (event.kind !== 'issue') return;
    const { engine, action, source, copies } = event;
    const memory = [source, ...copies].find(({ space }) => space === mainMemory);
    const far = engine === 'rma' && action === 'get' ? [source] : copies;
    const { call, step } = this.#callOf(issuer);
    this.#thread(issuer).steps.add(step);
    this.#transfers.set(event.transfer, {
      transfer: event.transfer,
      issuer,
      engine,
      action,
      call,
      step,
      bytes: source.bytes,
      partners: far.filter(({ space }) => space !== mainMemory).map(({ space }) => space),
      memory: memory?.address ?? 0,
      blockBytes: memory?.blockBytes ?? source.bytes,
      gap: memory?.gap ?? 0,
      issued: tick,
      done: undefined,
    });
  }

  /** Tells what is known of a thread only when its program can be looked at as a whole. */
  #endThread(core: CoreId, part: string): void {
    const { steps } = this.#thread(core);
    this.#threads.delete(core);
    const story = this.#places?.story(core, steps);
    const from = story?.from ?? 0;
    if (story && story.places.size > 0)
      this.#take({ record: 'places', core, from, places: [...story.places] });
    if (core % coresPerGroup === coresPerGroup - 1 || !this.#run) return;
    // What was placed under this name knows this.
    const { context } = this.#run.part(part.replace('Cpe', 'Ldm'));
    const { staticsEnd, heap, spec } = context as unknown as LdmContext;
    const { heapEnd, cacheFirst } = spec;
    this.#take({
      record: 'scratchpad',
      core,
      from,
      statics: story?.statics ?? [],
      staticsEnd,
      heapFirst: heap?.first ?? staticsEnd,
      heapPeak: heap?.peakBytes ?? 0,
      live: heap?.live ?? [],
      heapEnd,
      cacheFirst,
    });
  }
}
