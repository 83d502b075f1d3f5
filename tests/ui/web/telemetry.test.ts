// The frame that tests/ui/api/telemetry_frame_test.cpp writes, read as the page does.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { emptyFrame, readFrame } from '../../../ui/web/src/telemetry';

function example(): ArrayBuffer {
  const hex = readFileSync(new URL('./telemetry.hex', import.meta.url), 'utf8').trim();
  return Uint8Array.from(hex.match(/../g)!, (byte) => parseInt(byte, 16)).buffer;
}

test('a frame is read as it was written', () => {
  const frame = emptyFrame();
  expect(readFrame(example(), frame)).toBe(true);
  expect(frame.tick).toBe(0x23456789);
  expect(frame.watched).toBe(49);
  expect(frame.sustain).toBe(1);
  expect(frame.sostenuto).toBeCloseTo(0.5, 2);
  expect(frame.unaCorda).toBe(0);
  expect(frame.meter).toBe(0.25);
  expect(frame.dipMm[48]).toBeCloseTo(9.87, 3);
  expect(frame.dipMm[0]).toBe(0);
  expect(frame.crownMm[48]).toBeCloseTo(46.1, 2);
  expect(frame.crownMm[87]).toBeCloseTo(655.35, 2);
  expect(frame.strikes[48]).toBe(200);
  expect(frame.strikeMps[48]).toBeCloseTo(2.81, 1);
  expect([frame.fingerN, frame.crownMps, frame.stringN]).toEqual([1.5, -0.75, 40]);
  expect(frame.q[4]).toBeCloseTo(-0.34, 6);
  expect(frame.contactN[16]).toBe(0.5);
  expect(frame.contactN[3]).toBe(0);
});

test('what is no frame is left alone', () => {
  const frame = emptyFrame();
  const bytes = new Uint8Array(example());
  expect(readFrame(bytes.slice(0, 100).buffer, frame)).toBe(false);
  expect(readFrame(bytes.slice(0, bytes.length - 4).buffer, frame)).toBe(false);
  bytes[0] = 2;
  expect(readFrame(bytes.buffer, frame)).toBe(false);
  expect(frame.tick).toBe(0);
});
