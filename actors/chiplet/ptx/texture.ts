import { deviceBase } from './address-space.ts';
import type { DeviceMemory } from './device-memory.ts';
import { bits16, realOf16 } from './half-reals.ts';

/*
 * Textures and surfaces: texels in device memory, and how coordinates choose among them (PTX ISA, texture instructions; CUDA programming guide, texture fetching).
 */

export const channelTypes = ['u8', 's8', 'u16', 's16', 'u32', 's32', 'f16', 'f32'] as const;
export const addressings = ['clamp', 'border', 'wrap', 'mirror'] as const;
export const filters = ['point', 'linear'] as const;

/** How coordinates choose texels. */
export interface Sampler {
  /** What becomes of coordinates outside; `wrap` and `mirror` are as `clamp` where coordinates are not normalized. */
  readonly addressing: (typeof addressings)[number];
  readonly filter: (typeof filters)[number];
  /** True where a coordinate of 1 is the width, and not one texel. */
  readonly normalized: boolean;
}

/** Texels in device memory, x fastest, with the sampler of the unified mode. */
export interface Texture extends Sampler {
  readonly address: number;
  readonly width: number;
  readonly height: number;
  /** Texels in the third direction, or layers. */
  readonly depth: number;
  /** Bytes from one row to the next. */
  readonly rowBytes: number;
  readonly channel: (typeof channelTypes)[number];
  readonly channels: 1 | 2 | 4;
  /** True where integers of 8 and 16 bits are read as reals from 0 or -1 to 1. */
  readonly asReals: boolean;
}

/** Dimensions of coordinates, and whether a layer is chosen beside them. */
export interface Geometry {
  readonly dimensions: 1 | 2 | 3;
  readonly layered: boolean;
}

/** Bytes of a channel. */
export const channelBytes = ({ channel }: Pick<Texture, 'channel'>): number => Number(channel.slice(1)) >> 3;

/** True where it gives reals. */
export const givesReals = ({ channel, asReals }: Pick<Texture, 'channel' | 'asReals'>): boolean =>
  channel[0] === 'f' || asReals;

/** The address of a texel. */
export const texelAddress = (texture: Texture, x: number, y: number, z: number): number =>
  texture.address +
  (z * texture.height + y) * texture.rowBytes +
  x * texture.channels * channelBytes(texture);

/** A whole coordinate brought into its range; -1 for the border. */
function placed(at: number, count: number, addressing: Sampler['addressing']): number {
  if (at >= 0 && at < count) return at;
  switch (addressing) {
    case 'clamp':
      return at < 0 ? 0 : count - 1;
    case 'border':
      return -1;
    case 'wrap':
      return ((at % count) + count) % count;
    case 'mirror': {
      const within = ((at % (2 * count)) + 2 * count) % (2 * count);
      return within < count ? within : 2 * count - 1 - within;
    }
  }
}

/** Coordinates beyond this are as far outside as they can be. */
const coordinateMost = 2 ** 40;

/** Where a coordinate lies: the first texel, and the share of the next one in 1/256. */
function spot(value: number, count: number, { filter, normalized }: Sampler): readonly [number, number] {
  const held = Number.isNaN(value) ? 0 : Math.min(Math.max(value, -coordinateMost), coordinateMost);
  const scaled = normalized ? held * count : held;
  if (filter === 'point') return [Math.floor(scaled), 0];
  const first = Math.floor(scaled - 0.5);
  // The share has 9 bits, 8 of them behind the point.
  return [first, Math.round((scaled - 0.5 - first) * 256) / 256];
}

/** A share in 256ths, to the nearest. */
const in256ths = (share: number): number => Math.floor(share * 256 + 0.5) / 256;

/** Shares of four texels of a linear filter, as an H100 has them: that of the far one is rounded to 256ths, the others follow from it. */
const cornerShare = (corner: number, x: number, y: number, far: number): number =>
  [1 - x - y + far, x - far, y - far, far][corner]!;

/** A share of the largest number of 8 bits, rounded to 16. */
const asSixteen = (value: number, channel: 'u8' | 's8'): number => {
  const most = channel === 'u8' ? 65535 : 32767;
  return Math.floor(value * most + 0.5) / most;
};

/** Steps to the right and down to the texels of `gather`. */
const aroundFrom = [
  [0, 1],
  [1, 1],
  [1, 0],
  [0, 0],
] as const;

/** Reads texels of a texture. */
export class TexelReader {
  /** The four channels that were read. */
  readonly result = new Float64Array(4);
  /** The address that was read first. */
  address = 0;

  constructor(
    readonly memory: DeviceMemory,
    readonly texture: Texture,
  ) {}

  /** Samples at real coordinates, in `at`; the layer is the third. */
  sample(at: ArrayLike<number>, geometry: Geometry, sampler: Sampler): void {
    const { width, height, depth } = this.texture;
    const { dimensions, layered } = geometry;
    const addressing = this.#addressing(sampler);
    const [x, partX] = spot(at[0]!, width, sampler);
    const [y, partY] = dimensions > 1 ? spot(at[1]!, height, sampler) : [0, 0];
    const [z, partZ] = dimensions > 2 ? spot(at[2]!, depth, sampler) : [0, 0];
    const layer = layered ? placed(at[2]!, depth, 'clamp') : -1;
    const sum = [0, 0, 0, 0];
    const far = in256ths(partX * partY);
    for (let corner = 7; corner >= 0; corner--) {
      const across = corner & 1 ? partX : 1 - partX;
      const plane = cornerShare(corner & 3, partX, partY, far);
      const share =
        dimensions === 3
          ? across * (corner & 2 ? partY : 1 - partY) * (corner & 4 ? partZ : 1 - partZ)
          : corner & 4
            ? 0
            : plane;
      if (share === 0) continue;
      this.#read(
        placed(x + (corner & 1), width, addressing),
        dimensions > 1 ? placed(y + ((corner >> 1) & 1), height, addressing) : 0,
        layered ? layer : dimensions > 2 ? placed(z + (corner >> 2), depth, addressing) : 0,
      );
      for (let channel = 0; channel < 4; channel++) sum[channel]! += share * this.result[channel]!;
    }
    this.result.set(sampler.filter === 'linear' ? sum.map((one) => this.#filtered(one)) : sum);
  }

  /** What comes of a linear filter: as many bits as an H100 has for these texels. */
  #filtered(value: number): number {
    const { channel, asReals } = this.texture;
    if (channel === 'f16') return realOf16(bits16(value));
    return asReals && (channel === 'u8' || channel === 's8') ? asSixteen(value, channel) : value;
  }

  /** One channel of the four texels that a linear filter would read (PTX ISA, tld4): from the lower left one, against the clock. */
  gather(at: ArrayLike<number>, geometry: Geometry, sampler: Sampler, channel: number): void {
    const { width, height, depth } = this.texture;
    const linear: Sampler = { ...sampler, filter: 'linear' };
    const addressing = this.#addressing(sampler);
    const [[x], [y]] = [spot(at[0]!, width, linear), spot(at[1]!, height, linear)];
    const layer = geometry.layered ? placed(at[2]!, depth, 'clamp') : 0;
    const found = aroundFrom.map(([right, down]) => {
      this.#read(placed(x + right, width, addressing), placed(y + down, height, addressing), layer);
      return this.result[channel]!;
    });
    this.result.set(found);
  }

  /** Reads at whole coordinates. In one direction that is for a texture in plain memory: outside of it there are zeros, as on an H100. */
  fetch(at: ArrayLike<number>, geometry: Geometry, sampler: Sampler): void {
    const inMemory = geometry.dimensions === 1 && !geometry.layered;
    const addressing = inMemory ? 'border' : sampler.addressing;
    this.sample(at, geometry, { ...sampler, addressing, filter: 'point', normalized: false });
  }

  #addressing({ addressing, normalized }: Sampler): Sampler['addressing'] {
    return normalized || addressing === 'border' ? addressing : 'clamp';
  }

  /** One texel into `result`; -1 is the border. Channels that there are not are 0, the fourth too, as on an H100. */
  #read(x: number, y: number, z: number): void {
    const { texture, memory, result } = this;
    const { channel, channels, asReals } = texture;
    result.fill(0);
    if (x < 0 || y < 0 || z < 0) return;
    const size = channelBytes(texture);
    this.address = texelAddress(texture, x, y, z);
    if (!memory.find(this.address, size * channels)) throw new TexelOutside();
    const view = new DataView(memory.bytes.buffer, this.address - deviceBase, size * channels);
    for (let index = 0; index < channels; index++)
      result[index] = asReals
        ? asReal(channelAt(view, channel, index), channel)
        : channelAt(view, channel, index);
  }
}

/** A texture whose texels are no longer allocated. */
export class TexelOutside extends Error {}

function channelAt(view: DataView, channel: Texture['channel'], index: number): number {
  switch (channel) {
    case 'u8':
      return view.getUint8(index);
    case 's8':
      return view.getInt8(index);
    case 'u16':
      return view.getUint16(2 * index, true);
    case 's16':
      return view.getInt16(2 * index, true);
    case 'u32':
      return view.getUint32(4 * index, true);
    case 's32':
      return view.getInt32(4 * index, true);
    case 'f16':
      return realOf16(view.getUint16(2 * index, true));
    case 'f32':
      return view.getFloat32(4 * index, true);
  }
}

/** An integer channel as a real: the largest is 1; of signed ones the smallest two are -1. */
function asReal(value: number, channel: Texture['channel']): number {
  const most = { u8: 255, s8: 127, u16: 65535, s16: 32767 }[channel as string];
  return most === undefined ? value : Math.max(-1, value / most);
}
