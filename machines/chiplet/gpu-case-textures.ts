import type { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import { LaunchError } from '../../actors/chiplet/ptx/launch.ts';
import { channelBytes, givesReals, type Sampler, type Texture } from '../../actors/chiplet/ptx/texture.ts';

/*
 * Textures, surfaces and samplers of a case: each over a buffer, by the name that parameters or variables of the text have for it.
 */

/** A texture or surface over a buffer; rows follow one another where no `rowBytes` are given. */
export interface CaseTexture extends Partial<Sampler> {
  readonly buffer: string;
  readonly channel: Texture['channel'];
  readonly channels?: Texture['channels'];
  readonly width: number;
  readonly height?: number;
  readonly depth?: number;
  readonly rowBytes?: number;
  readonly asReals?: boolean;
}

const samplerOf = ({
  addressing = 'clamp',
  filter = 'point',
  normalized = false,
}: Partial<Sampler>): Sampler => ({
  addressing,
  filter,
  normalized,
});

/** Bytes that a handle stands on: no other allocation has its address. */
const handleBytes = 32;

/** Binds textures and samplers: to variables of their names, else to handles of their own. Gives the handles. Errors: `LaunchError`. */
export function bindTextures(
  memory: DeviceMemory,
  textures: Readonly<Record<string, CaseTexture>>,
  samplers: Readonly<Record<string, Partial<Sampler>>>,
  bufferOf: (name: string) => { readonly address: number; readonly bytes: number },
): (name: string) => number {
  const handles = new Map<string, number>();
  const handleOf = (name: string): number => {
    const handle = memory.hasVariable(name) ? memory.variable(name).address : memory.allocate(handleBytes)!;
    handles.set(name, handle);
    return handle;
  };
  for (const [name, one] of Object.entries(samplers)) memory.samplers.set(handleOf(name), samplerOf(one));
  for (const [name, one] of Object.entries(textures)) {
    const { address, bytes } = bufferOf(one.buffer);
    memory.textures.set(handleOf(name), textureOf(name, one, address, bytes));
  }
  return (name) => {
    const handle = handles.get(name);
    if (handle === undefined)
      throw new LaunchError(
        `E-LAUNCH found the texture ${JSON.stringify(name)}, expected one of the case: ${[...handles.keys()].join(', ') || 'it has none'}`,
      );
    return handle;
  };
}

function textureOf(name: string, one: CaseTexture, address: number, bytes: number): Texture {
  const { channel, channels = 1, width, height = 1, depth = 1, asReals = false } = one;
  const row = width * channels * channelBytes(one);
  const { rowBytes = row } = one;
  const needed = rowBytes * (height * depth - 1) + row;
  if (rowBytes < row || needed > bytes)
    throw new LaunchError(
      `E-LAUNCH found ${bytes} bytes in rows of ${rowBytes} for the texture ${name}, expected at least ${needed} in rows of at least ${row}`,
    );
  if (asReals && ['u32', 's32'].includes(channel))
    throw new LaunchError(
      `E-LAUNCH found channels of ${channel} for the texture ${name} that is read as reals, expected 8 or 16 bits`,
    );
  const texture = { ...samplerOf(one), address, width, height, depth, rowBytes, channel, channels, asReals };
  if (texture.filter === 'linear' && !givesReals(texture))
    throw new LaunchError(
      `E-LAUNCH found a linear filter for the texture ${name} of integers, expected reals, or asReals`,
    );
  return texture;
}
