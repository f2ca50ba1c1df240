import {
  channelBytes,
  givesReals,
  TexelOutside,
  TexelReader,
  type Texture,
  texelAddress,
} from './texture.ts';
import { Views } from './views.ts';
import type { Warp } from './warp.ts';

const hexadecimal = (value: number): string => `0x${value.toString(16)}`;

/** Reads textures and finds places in surfaces for the lanes of a warp, one at a time: each leaves its coordinates in `coordinates`. */
export class TextureUnit {
  /** x, y, and z or the layer. */
  readonly coordinates = new Float64Array(3);
  /** What is read where nothing is. */
  readonly zeros = new Views(16);

  constructor(readonly warp: Warp) {}

  /**
   * Reads a texture at `coordinates`; for a `channel` of 0 to 3 that one of the four texels around them.
   *
   * Errors: `MemoryFault` for a handle of no texture, and where its texels are of another kind.
   */
  texel(
    handle: number,
    samplerHandle: number,
    dimensions: 1 | 2 | 3,
    layered: boolean,
    realCoordinates: boolean,
    wantsReals: boolean,
    lane: number,
    channel = -1,
  ): Float64Array {
    const { warp } = this;
    const texture = this.#texture(handle, lane);
    const sampler = samplerHandle < 0 ? texture : warp.memory.samplers.get(samplerHandle);
    if (sampler === undefined)
      return warp.fault(`found the handle ${hexadecimal(samplerHandle)}, expected that of a sampler`, lane);
    if (givesReals(texture) !== wantsReals)
      warp.fault(
        `found a read of ${wantsReals ? 'reals' : 'integers'} from a texture that gives ${wantsReals ? 'integers' : 'reals'}, expected the type of its texels`,
        lane,
      );
    const reader = new TexelReader(warp.memory, texture);
    const geometry = { dimensions, layered };
    try {
      if (channel >= 0) reader.gather(this.coordinates, geometry, sampler, channel);
      else if (realCoordinates) reader.sample(this.coordinates, geometry, sampler);
      else reader.fetch(this.coordinates, geometry, sampler);
    } catch (error) {
      if (!(error instanceof TexelOutside)) throw error;
      warp.outside(reader.address, channelBytes(texture) * texture.channels, lane);
    }
    warp.touched[lane] = reader.address === 0 ? texture.address : reader.address;
    return reader.result;
  }

  /**
   * Puts the place to which a direction leads on the faces of a cube into `coordinates`: of the largest of x, y and z, 0 to 5 for x, -x, y, -y, z, -z; from 0 to 1 on it
   * (CUDA programming guide, cubemap textures). The faces of one cube follow those of the one before.
   */
  onCube(x: number, y: number, z: number, cube: number): void {
    const [sizeX, sizeY, sizeZ] = [Math.abs(x), Math.abs(y), Math.abs(z)];
    const axis = sizeX >= sizeY && sizeX >= sizeZ ? 0 : sizeY >= sizeZ ? 1 : 2;
    const size = [sizeX, sizeY, sizeZ][axis]!;
    const isBack = [x, y, z][axis]! < 0;
    const side = isBack ? -1 : 1;
    const across = axis === 0 ? -side * z : axis === 1 ? x : side * x;
    const down = axis === 1 ? side * z : -y;
    this.coordinates[0] = (across / size + 1) / 2;
    this.coordinates[1] = (down / size + 1) / 2;
    this.coordinates[2] = 6 * cube + 2 * axis + (isBack ? 1 : 0);
  }

  /** The address of bytes of a surface at `coordinates`, x in bytes; -1 where nothing is there. `bound`: 0 faults outside, 1 takes the nearest, 2 nothing. */
  surface(
    handle: number,
    dimensions: 1 | 2 | 3,
    layered: boolean,
    bytes: number,
    bound: number,
    lane: number,
  ): number {
    const { warp } = this;
    const texture = this.#texture(handle, lane);
    const [x, y, z] = this.coordinates as unknown as readonly [number, number, number];
    const most = [
      texture.width * texture.channels * channelBytes(texture) - bytes,
      dimensions > 1 ? texture.height - 1 : 0,
      dimensions > 2 || layered ? texture.depth - 1 : 0,
    ] as const;
    const at = [x, dimensions > 1 ? y : 0, dimensions > 2 || layered ? z : 0];
    const isInside = at.every((one, axis) => one >= 0 && one <= most[axis]!);
    warp.touched[lane] = texture.address;
    if (!isInside && bound === 2) return -1;
    if (!isInside && bound === 0)
      warp.fault(
        `found an access of ${bytes} bytes at (${at.join(', ')}) of a surface, expected coordinates of at most (${most.join(', ')})`,
        lane,
      );
    const [byte = 0, row = 0, layer = 0] = at.map((one, axis) => Math.min(Math.max(one, 0), most[axis]!));
    const address = texelAddress(texture, 0, row, layer) + byte;
    if (address % bytes !== 0) warp.misaligned(address, bytes, lane);
    if (!warp.memory.find(address, bytes)) warp.outside(address, bytes, lane);
    warp.touched[lane] = address;
    return address;
  }

  /** What `txq` and `suq` ask for: width, height, depth, layers, channels, whether coordinates are normalized. */
  fact(handle: number, asked: number, lane: number): number {
    const { width, height, depth, channels, normalized } = this.#texture(handle, lane);
    return [width, height, depth, depth, channels, Number(normalized)][asked]!;
  }

  #texture(handle: number, lane: number): Texture {
    const { warp } = this;
    const texture = warp.memory.textures.get(handle);
    if (texture === undefined)
      return warp.fault(
        `found the handle ${hexadecimal(handle)}, expected that of a texture or surface`,
        lane,
      );
    return texture;
  }
}
