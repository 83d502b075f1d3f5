// The frames of ui/api/telemetry_frame.h: the newest of everything that moves.
export const keyCount = 88;

export interface Frame {
  tick: number;
  sustain: number;
  sostenuto: number;
  unaCorda: number;
  meter: number;
  dipMm: Float32Array;
  crownMm: Float32Array;
  strikes: Uint8Array;
  strikeMps: Float32Array;
  watched: number; // 1..88, 0: none
  fingerN: number;
  crownMps: number;
  stringN: number;
  q: Float32Array;
  contactN: Float32Array;
}

const head = 556;

/** Reads a frame into `frame`, which keeps its arrays. False: it is none. */
export function readFrame(bytes: ArrayBuffer, frame: Frame): boolean {
  const view = new DataView(bytes);
  if (bytes.byteLength < head || view.getUint8(0) !== 1) return false;
  const bodies = view.getUint8(1);
  const contacts = view.getUint8(2);
  if (bytes.byteLength !== head + 4 * (bodies + contacts)) return false;
  frame.watched = view.getUint8(3);
  frame.tick = view.getUint32(4, true);
  frame.sustain = view.getUint8(8) / 255;
  frame.sostenuto = view.getUint8(9) / 255;
  frame.unaCorda = view.getUint8(10) / 255;
  frame.meter = view.getFloat32(12, true);
  for (let k = 0; k < keyCount; ++k) {
    frame.dipMm[k] = view.getUint16(16 + 2 * k, true) / 1000;
    frame.crownMm[k] = view.getUint16(192 + 2 * k, true) / 100;
    frame.strikes[k] = view.getUint8(368 + k);
    frame.strikeMps[k] = view.getUint8(456 + k) / 16;
  }
  frame.fingerN = view.getFloat32(544, true);
  frame.crownMps = view.getFloat32(548, true);
  frame.stringN = view.getFloat32(552, true);
  if (frame.q.length !== bodies) frame.q = new Float32Array(bodies);
  if (frame.contactN.length !== contacts) frame.contactN = new Float32Array(contacts);
  for (let i = 0; i < bodies; ++i) frame.q[i] = view.getFloat32(head + 4 * i, true);
  for (let i = 0; i < contacts; ++i) frame.contactN[i] = view.getFloat32(head + 4 * (bodies + i), true);
  return true;
}

export function emptyFrame(): Frame {
  return {
    tick: 0,
    sustain: 0,
    sostenuto: 0,
    unaCorda: 0,
    meter: 0,
    dipMm: new Float32Array(keyCount),
    crownMm: new Float32Array(keyCount).fill(46),
    strikes: new Uint8Array(keyCount),
    strikeMps: new Float32Array(keyCount),
    watched: 0,
    fingerN: 0,
    crownMps: 0,
    stringN: 0,
    q: new Float32Array(0),
    contactN: new Float32Array(0),
  };
}
