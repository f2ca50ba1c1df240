import type { CommandBusInput } from '../../actors/cell/eib/command-bus.ts';
import type { DataArbiterContext, DataArbiterInput } from '../../actors/cell/eib/data-arbiter.ts';
import type { MfcContext, MfcInput } from '../../actors/cell/eib/mfc.ts';
import {
  type EibOperation,
  type EibResult,
  getFrom,
  getListFrom,
  onBehalfOf,
  putListTo,
  putTo,
  untilCycle,
  waitForTags,
} from '../../actors/cell/eib/operations.ts';
import type { UnitContext, UnitInput } from '../../actors/cell/eib/program-unit.ts';
import { eibProtocol } from '../../actors/cell/eib/protocol.ts';
import type { StoreContext, StoreInput } from '../../actors/cell/eib/store.ts';
import { ByteMemory } from '../../actors/common/byte-memory.ts';
import { Program, type ProgramFunction, programOf } from '../../actors/common/program.ts';
import { invariant } from '../../kernel/errors.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Assembly, Given } from '../machine.ts';
import {
  type CellbeConfig,
  type CellbePrograms,
  cellbeConfig,
  cellbePrograms,
  elementNumber,
  type TimedEntry,
} from './cellbe-config.ts';
import { mutatedEibParts } from './cellbe-mutants.ts';
import { type EibParts, soundEibParts } from './cellbe-parts.ts';
import { type CellbeResult, cellbeResultOf } from './cellbe-result.ts';
import { cellbeScene } from './cellbe-scene.ts';

export { type CellbeConfig, type CellbePrograms, type CellbeResult, cellbeConfig, cellbePrograms };

/** Findings the schemas cannot make: programs for elements, or commands to elements, that the bus does not have. */
export function checkCellbe(
  config: CellbeConfig,
  programs: CellbePrograms,
): readonly {
  readonly path: readonly (string | number)[];
  readonly found: string;
  readonly expected: string;
}[] {
  const expected = `one of ${config.elements.join(', ')}, or 0..${config.elements.length - 1}`;
  const seen = new Set<number>();
  return Object.entries(programs).flatMap(([name, program]) => {
    const element = elementNumber(config, name);
    if (element < 0) return [{ path: ['programs', name], found: name, expected }];
    if (seen.has(element))
      return [
        {
          path: ['programs', name],
          found: `a second program of ${config.elements[element]}`,
          expected: 'one',
        },
      ];
    seen.add(element);
    if (!Array.isArray(program)) return [];
    return program.flatMap((entry, index) => {
      if ('tags' in entry) return [];
      const { element: other, on } = entry;
      // Where a program says who carries a command out, everything behind that is two places farther.
      const named = on === undefined ? [[3, other] as const] : [[2, on] as const, [5, other] as const];
      return named.flatMap(([place, found]) =>
        elementNumber(config, found) < 0
          ? [{ path: ['programs', name, index, place], found: String(found), expected }]
          : [],
      );
    });
  });
}

/** Bytes of each element's store: local stores of SPEs, memory behind all others (Cell specification 19.1). */
export const storeBytesOf = (config: CellbeConfig): readonly number[] =>
  config.elements.map((name) => (name.startsWith('SPE') ? config.localStoreBytes : config.memoryBytes));

/** Initial byte of an element's store: the pattern of Cell specification 18.1 with the element's number. */
export const storePattern = (element: number, address: number): number =>
  (element * 167 + address * 13 + Math.floor(address / 256) * 7 + 1) % 256;

/** The program of an element, ready to run; one that does nothing when none is given. Errors: a defect when `checkCellbe` has findings. */
function programFor(
  config: CellbeConfig,
  programs: CellbePrograms,
  element: number,
): Program<EibOperation, EibResult> {
  const key = Object.keys(programs).find((name) => elementNumber(config, name) === element);
  const program = key === undefined ? [] : programs[key]!;
  if (!Array.isArray(program))
    return new Program(
      () => program.program!(element) as ReturnType<ProgramFunction<EibOperation, EibResult>>,
    );
  return programOf(
    program.flatMap((entry): EibOperation[] => [untilCycle(entry.cycle), operationOf(config, entry)]),
  );
}

/** What an entry of a program asks for. */
function operationOf(config: CellbeConfig, entry: TimedEntry): EibOperation {
  if ('tags' in entry) return waitForTags(...entry.tags);
  const numberOf = (name: string | number) => {
    const number = elementNumber(config, name);
    invariant(number >= 0, `there is no element "${name}"`);
    return number;
  };
  const { kind, local, element, tag, on } = entry;
  const get = kind === 'get';
  const given =
    'pieces' in entry
      ? (get ? getListFrom : putListTo)(local, numberOf(element), entry.pieces, tag)
      : (get ? getFrom : putTo)(local, numberOf(element), entry.address, entry.size, tag);
  return on === undefined ? given : onBehalfOf(numberOf(on), given);
}

/**
 * Wires the preset `cellbe`: elements on an Element Interconnect Bus (Cell specification 19). A tick is a bus cycle.
 *
 * Details: an element is three actors: its program unit, its MFC, and its store with the two ports. Mutants of `cellbeMutants` are applied.
 */
export function assembleCellbe(
  given: Given<CellbeConfig, CellbePrograms>,
  parts: EibParts = soundEibParts,
): Assembly<CellbeResult> {
  const { config } = given;
  const made = mutatedEibParts(parts, given.mutants);
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  wiring.speak(eibProtocol, { checked: false });
  const bus = wiring.reserve('Eib.CommandBus');
  const arbiter = wiring.reserve('Eib.DataArbiter');
  const units = config.elements.map((name) => wiring.reserve(`Eib.${name}`));
  const mfcs = config.elements.map((name) => wiring.reserve(`Eib.${name}.Mfc`));
  const stores = config.elements.map((name) => wiring.reserve(`Eib.${name}.Store`));

  const scheduler = made.scheduler(config);
  wiring.place(bus, made.commandBus, { spec: config, arbiter } satisfies CommandBusInput);
  wiring.place(arbiter, made.dataArbiter, { scheduler, stores } satisfies DataArbiterInput);
  const storeBytes = storeBytesOf(config);
  storeBytes.forEach((size, element) => {
    const self = units[element]!;
    const bytes = new ByteMemory(size);
    if (config.memory === 'pattern') bytes.fill((address) => storePattern(element, address));
    const program = programFor(config, given.programs, element);
    const unit: UnitInput = {
      spec: config,
      element,
      storeBytes,
      program,
      complains: config.programErrors === 'finding',
      mfcs,
    };
    wiring.place(self, made.unit, unit);
    const mfc: MfcInput = { spec: config, element, bus };
    wiring.place(mfcs[element]!, made.mfc, mfc);
    wiring.place(stores[element]!, made.store, { spec: config, bytes, stores, mfcs } satisfies StoreInput);
    wiring.boot.push({ to: self, type: 'unit.begin' } as never);
  });

  const contextOf = <C>(run: Run, address: Address) => run.part(address).context as unknown as C;
  return {
    wiring,
    scene: (run) => cellbeScene(config, run),
    result: (run) =>
      cellbeResultOf(given.name, config, {
        mfcs: mfcs.map((address) => contextOf<MfcContext>(run, address).queue),
        stores: stores.map((address) => contextOf<StoreContext>(run, address)),
        scheduler: contextOf<DataArbiterContext>(run, arbiter).scheduler,
        exceptions: units.map((address) => contextOf<UnitContext>(run, address).exception),
      }),
  };
}
