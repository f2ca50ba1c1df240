/** Activity of a whole network, in words of 64 bits (chiplet specification 5.9). */
export interface NetworkCounters {
  readonly bufReadWords: number;
  readonly bufWriteWords: number;
  readonly bufWriteToggles: number;
  readonly xbarInToggles: number;
  readonly xbarOutToggles: number;
  readonly xbarCtrlSwitches: number;
  readonly linkWords: number;
  readonly linkToggles: number;
  readonly vcGrants: number;
  readonly vcReqToggles: number;
  readonly vcGrantChanges: number;
}

/** Powers in watts at a clock of 1 GHz. */
export interface NetworkPowers {
  readonly memPower: number;
  readonly crossbarPower: number;
  readonly arbiterPower: number;
  readonly linkPower: number;
  readonly totalPower: number;
}

/** Joules of events in the network: 0.18 um, 1.8 V, rows of 128 bits, 64 rows, 5 ports (chiplet specification 5.10). */
const joules = {
  /** Columns of a row: precharge, bit line, sense amplifier; and the word line. */
  readWord: 128 * (5.1004286969753844e-14 + 3.5248337486921146e-13 + 1.125e-13) + 1.5052918665758402e-12,
  writeWord: 1.45162060229808e-12,
  /** Bit lines count twice, the cell once. */
  writeToggle: 2 * 6.0085382780823314e-13 + 1.4908366386000004e-14,
  crossbarIn: 5.2436992836757231e-13,
  crossbarOut: 6.2866763318880001e-13,
  crossbarControl: 3.0197351370240002e-12,
  requestToggle: 1.684678905e-14,
  grantChange: 5.2468728156e-14,
  linkToggle: 2.0680228260000006e-14,
  /** A toggle on a link of 1000 micrometres. */
  linkToggle1000: 1.8550291094943749e-12,
} as const;

/** Joules of one grant among so many requesters. */
const grant = (requesters: number): number => {
  const half = Math.floor(requesters / 2);
  return half * 3.0827392128000005e-14 + (half - 1) * 3.5420420178e-14 + 2 * 2.25910227717e-13;
};

/** What the activity of a network costs; `endTime` in cycles, `linkLength` in micrometres. */
export function powersOf(
  counters: NetworkCounters,
  endTime: number,
  shape: { readonly ports: number; readonly channels: number; readonly linkLength: number },
): NetworkPowers {
  const watts = (energy: number): number => (endTime > 0 ? (energy / endTime) * 1e9 : 0);
  // The specification's 2c + 1 are the ports of a grid; a star is right with its own.
  const requesters = shape.ports * shape.channels;
  const perMicrometre = (joules.linkToggle1000 - joules.linkToggle) / 1000;
  const memPower = watts(
    counters.bufReadWords * joules.readWord +
      counters.bufWriteWords * joules.writeWord +
      counters.bufWriteToggles * joules.writeToggle,
  );
  const crossbarPower = watts(
    counters.xbarInToggles * joules.crossbarIn +
      counters.xbarOutToggles * joules.crossbarOut +
      counters.xbarCtrlSwitches * joules.crossbarControl,
  );
  const arbiterPower = watts(
    counters.vcGrants * grant(requesters) +
      counters.vcReqToggles * joules.requestToggle +
      counters.vcGrantChanges * joules.grantChange,
  );
  const linkPower = watts(counters.linkToggles * (joules.linkToggle + shape.linkLength * perMicrometre));
  return {
    memPower,
    crossbarPower,
    arbiterPower,
    linkPower,
    totalPower: memPower + crossbarPower + arbiterPower + linkPower,
  };
}
