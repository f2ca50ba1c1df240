import { z } from 'zod';
import { type Decomposition, decompose, rankCount } from '../../actors/tca/himeno/decomposition.ts';
import { type ExchangeOrder, exchangeOrders } from '../../actors/tca/himeno/faces.ts';
import { type GridSize, gridSizes } from '../../actors/tca/himeno/grid.ts';
import { type Variant, variants } from '../../actors/tca/himeno/initial-values.ts';

/** What the nodes of a Himeno run are told, each: the problem, and for how long. */
export interface HimenoSetting {
  readonly decomposition: Decomposition;
  readonly data: Variant;
  readonly order: ExchangeOrder;
  readonly iterations: number;
  /** CRC-32 that p must have at the end for the job to end with code 0; any when absent. */
  readonly crc32?: string;
}

/** Sizes that nodes run: those of the benchmark up to M. */
export const himenoSizes = ['XS', 'S', 'M'] as const;

/** Names of the environment, and what may stand in each. */
const environmentSchema = z.object({
  HIMENO_SIZE: z
    .union([z.enum(himenoSizes), z.string().regex(/^([3-9]|[1-9]\d\d?)(x([3-9]|[1-9]\d\d?)){2}$/)])
    .default('XS')
    .transform(sizeOf),
  HIMENO_DECOMPOSITION: z
    .string()
    .regex(/^[1-8]x[1-8]$/)
    .default('2x1')
    .transform((text) => text.split('x').map(Number) as [number, number]),
  HIMENO_DATA: z.enum(variants).default('mixed'),
  HIMENO_ORDER: z.enum(exchangeOrders).default('sequential'),
  HIMENO_ITERATIONS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .default('3')
    .transform(Number),
  HIMENO_CRC32: z
    .string()
    .regex(/^0x[0-9a-f]{8}$/)
    .optional(),
});

function sizeOf(text: string): GridSize {
  if (Object.hasOwn(gridSizes, text)) return gridSizes[text as keyof typeof gridSizes];
  const [imax, jmax, kmax] = text.split('x').map(Number) as [number, number, number];
  return { imax, jmax, kmax };
}

const expected: Readonly<Record<string, string>> = {
  HIMENO_SIZE: `${himenoSizes.join(', ')} or points such as 16x16x32, at least 3 along each axis`,
  HIMENO_DECOMPOSITION: 'blocks along i and j such as 2x2',
  HIMENO_DATA: variants.join(' or '),
  HIMENO_ORDER: exchangeOrders.join(' or '),
  HIMENO_ITERATIONS: 'a number from 1 to 9999',
  HIMENO_CRC32: '8 hexadecimal digits such as 0x58ecdbc2',
};

/** The setting as the environment of a job has it. Errors: throws with the name, what was found and what was expected. */
export function settingOf(environment: Readonly<Record<string, string>>, nodes: number): HimenoSetting {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]!.path[0]);
    throw new Error(`environment: ${name}: found "${environment[name]}", expected ${expected[name]}`);
  }
  const { HIMENO_SIZE, HIMENO_DECOMPOSITION, HIMENO_DATA, HIMENO_ORDER, HIMENO_ITERATIONS, HIMENO_CRC32 } =
    parsed.data;
  const [alongI, alongJ] = HIMENO_DECOMPOSITION;
  const { imax, jmax } = HIMENO_SIZE;
  if (alongI > imax || alongJ > jmax)
    throw new Error(
      `environment: HIMENO_DECOMPOSITION: found "${alongI}x${alongJ}", expected at most ${imax}x${jmax}, a block for each plane`,
    );
  const decomposition = decompose(HIMENO_SIZE, alongI, alongJ);
  const ranks = rankCount(decomposition);
  if (ranks > nodes)
    throw new Error(
      `environment: HIMENO_DECOMPOSITION: found ${ranks} blocks, expected at most ${nodes}, one a node`,
    );
  return {
    decomposition,
    data: HIMENO_DATA,
    order: HIMENO_ORDER,
    iterations: HIMENO_ITERATIONS,
    ...(HIMENO_CRC32 !== undefined && { crc32: HIMENO_CRC32 }),
  };
}

/** The environment that has a setting. */
export function environmentOf({
  decomposition: { size, A, B },
  data,
  order,
  iterations,
  crc32,
}: HimenoSetting): Record<string, string> {
  return {
    HIMENO_SIZE: `${size.imax}x${size.jmax}x${size.kmax}`,
    HIMENO_DECOMPOSITION: `${A}x${B}`,
    HIMENO_DATA: data,
    HIMENO_ORDER: order,
    HIMENO_ITERATIONS: `${iterations}`,
    ...(crc32 !== undefined && { HIMENO_CRC32: crc32 }),
  };
}
