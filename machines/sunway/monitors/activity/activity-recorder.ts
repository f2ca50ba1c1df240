import { isBarrier } from '../../../../actors/sunway/engine/queues.ts';
import type { DescriptorIssue } from '../../../../actors/sunway/messages.ts';
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
import { type CoreId, groupOf, mainMemory } from '../race/race-event.ts';
import { transferEvent } from '../transfer-event.ts';
import type { Activity, CallSpan, TransferActivity, WaitingFor, WaitingSpan } from './activity.ts';
import type { ActivityRecord } from './activity-log.ts';

const waitsFor: Partial<Record<CoreWaits['on']['op'], WaitingFor>> = {
  wait: 'transfer',
  arrive: 'barrier',
  meet: 'host',
  lock: 'lock',
  join: 'group',
  signal: 'host',
  append: 'host',
};

/**
 * Notes what cores and engines do, from messages and probes.
 *
 * Use `attach` before the first step, and `activity` at any time; calls and waits that have not ended yet end in the present cycle.
 */
export class ActivityRecorder {
  readonly #config: SunwayConfig;
  readonly #names = new PartNames();
  readonly #calls: CallSpan[] = [];
  readonly #waiting: WaitingSpan[] = [];
  readonly #transfers = new Map<number, TransferActivity>();
  readonly #inCall = new Map<CoreId, { readonly call: string; readonly from: number }>();
  readonly #inWait = new Map<CoreId, { readonly waitsFor: WaitingFor; readonly from: number }>();
  readonly #take: ((record: ActivityRecord) => void) | undefined;
  #now = 0;

  /** With `take` what is over is handed on at once and not kept. */
  constructor(config: SunwayConfig, take?: (record: ActivityRecord) => void) {
    this.#config = config;
    this.#take = take;
  }

  /** Listens to a run. */
  attach(run: Pick<Run, 'messages$' | 'probes$'>): void {
    run.messages$.subscribe(({ message, from }) => {
      this.#now = message.due;
      if (message.event.type === 'descriptor.issue')
        this.#issue(message.due, this.#names.of(from)!.core, message.event as DescriptorIssue);
    });
    run.probes$.subscribe(({ tick, probe }) => {
      this.#now = tick;
      switch (probe.type) {
        case 'call.begin': {
          const { core, name } = probe as CallBegin;
          this.#inCall.set(coreOfNumber(core), { call: name, from: tick });
          break;
        }
        case 'call.end':
          this.#endCall(tick, coreOfNumber((probe as CallEnd).core));
          break;
        case 'core.waits': {
          const { core, on } = probe as CoreWaits;
          const kind = waitsFor[on.op];
          if (kind) this.#inWait.set(coreOfNumber(core), { waitsFor: kind, from: tick });
          break;
        }
        case 'core.runs':
          this.#endWait(tick, coreOfNumber((probe as CoreRuns).core));
          break;
        case 'transfer.complete': {
          const { transfer } = probe as TransferComplete;
          const known = this.#transfers.get(transfer);
          if (known && this.#take) {
            this.#transfers.delete(transfer);
            this.#take({ record: 'transfer', ...known, done: tick });
          } else if (known) this.#transfers.set(transfer, { ...known, done: tick });
          break;
        }
        default:
          break;
      }
    });
  }

  /** What was noted so far. */
  get activity(): Activity {
    const cycles = this.#now;
    const openCalls = [...this.#inCall].map(([core, { call, from }]) => ({ core, from, to: cycles, call }));
    const openWaits = [...this.#inWait].map(([core, { waitsFor: kind, from }]) => ({
      core,
      from,
      to: cycles,
      waitsFor: kind,
      call: this.#callOf(core),
    }));
    return {
      cycles,
      calls: [...this.#calls, ...openCalls],
      waiting: [...this.#waiting, ...openWaits],
      transfers: [...this.#transfers.values()],
    };
  }

  #callOf(core: CoreId): string {
    return this.#inCall.get(core)?.call ?? 'the start';
  }

  #endCall(to: number, core: CoreId): void {
    this.#endWait(to, core);
    const begun = this.#inCall.get(core);
    if (begun) {
      const span = { core, from: begun.from, to, call: begun.call };
      if (this.#take) this.#take({ record: 'call', ...span });
      else this.#calls.push(span);
    }
    this.#inCall.delete(core);
  }

  #endWait(to: number, core: CoreId): void {
    const begun = this.#inWait.get(core);
    if (!begun) return;
    this.#inWait.delete(core);
    if (to <= begun.from) return;
    const span = { core, from: begun.from, to, waitsFor: begun.waitsFor, call: this.#callOf(core) };
    if (this.#take) this.#take({ record: 'wait', ...span });
    else this.#waiting.push(span);
  }

  #issue(tick: number, issuer: CoreId, descriptor: DescriptorIssue): void {
    if (isBarrier(descriptor)) return;
    const event = transferEvent(descriptor, groupOf(issuer), this.#config.cpesPerCg);
    if (event.kind !== 'issue') return;
    const { engine, action, source, copies } = event;
    const memory = [source, ...copies].find(({ space }) => space === mainMemory);
    const far = engine === 'rma' && action === 'get' ? [source] : copies;
    this.#transfers.set(event.transfer, {
      transfer: event.transfer,
      issuer,
      engine,
      action,
      call: this.#callOf(issuer),
      bytes: source.bytes,
      partners: far.filter(({ space }) => space !== mainMemory).map(({ space }) => space),
      memory: memory?.address ?? 0,
      blockBytes: memory?.blockBytes ?? source.bytes,
      gap: memory?.gap ?? 0,
      issued: tick,
      done: undefined,
    });
  }
}
