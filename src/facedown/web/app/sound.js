// Sound effects, synthesized with Web Audio: no files. Silent until the first gesture; one switch in the settings. And
// the vibration of a phone, with a switch of its own.

import { settings } from "./settings.js";

/** @type {AudioContext|null} */
let room = null;
/** Milliseconds of the longest sound, after which the audio context is suspended: a running one costs power. */
const AWAKE = 2_500;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let rest;

/** @param {AudioContext} audio @returns {Promise<void>} until it is awake */
function awake(audio) {
  clearTimeout(rest);
  rest = setTimeout(() => audio.suspend(), AWAKE);
  return audio.resume();
}

/** Browsers allow sound after the first gesture. */
export function listenForGesture() {
  const wake = () => {
    room ??= typeof AudioContext === "undefined" ? null : new AudioContext();
    if (room) awake(room);
  };
  for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, wake, { once: true, passive: true });
}

/** One soft tone. @param {AudioContext} audio
 * @param {{pitch: number, to?: number, at?: number, length: number, loud: number, shape?: OscillatorType}} tone */
function tone(audio, { pitch, to = pitch, at = 0, length, loud, shape = "sine" }) {
  const start = audio.currentTime + at;
  const source = new OscillatorNode(audio, { type: shape, frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  source.frequency.exponentialRampToValueAtTime(to, start + length);
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length + 0.05);
}

/** A breath of noise: paper, wax. @param {AudioContext} audio
 * @param {{pitch: number, at?: number, length: number, loud: number}} breath */
function breath(audio, { pitch, at = 0, length, loud }) {
  const start = audio.currentTime + at;
  const samples = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const wave = samples.getChannelData(0);
  for (let i = 0; i < wave.length; i++) wave[i] = (Math.random() * 2 - 1) * (1 - i / wave.length) ** 2;
  const source = new AudioBufferSourceNode(audio, { buffer: samples });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 0.8 });
  source
    .connect(filter)
    .connect(new GainNode(audio, { gain: loud }))
    .connect(audio.destination);
  source.start(start);
}

/** @type {Record<string, (audio: AudioContext, weight: number) => void>} */
const SOUNDS = {
  seal(audio) {
    breath(audio, { pitch: 900, length: 0.1, loud: 0.16 });
    tone(audio, { pitch: 110, to: 70, at: 0.05, length: 0.18, loud: 0.16 });
  },
  turn(audio, weight) {
    breath(audio, { pitch: 2200 - 900 * weight, length: 0.16 + 0.2 * weight, loud: 0.14 });
    tone(audio, { pitch: 82 - 20 * weight, at: 0.1, length: 0.3 + 0.4 * weight, loud: 0.1 + 0.1 * weight });
  },
  win(audio, weight) {
    [0, 4, 7, 12].forEach((step, place) => {
      const pitch = 196 * 2 ** (step / 12);
      tone(audio, { pitch, at: place * 0.11, length: 0.8 + 0.5 * weight, loud: 0.07 + 0.03 * weight });
    });
  },
  lose(audio, weight) {
    [7, 3, 0].forEach((step, place) => {
      tone(audio, { pitch: 131 * 2 ** (step / 12), at: place * 0.16, length: 0.8, loud: 0.06 + 0.03 * weight });
    });
  },
  draw(audio) {
    tone(audio, { pitch: 147, length: 0.35, loud: 0.07 });
    tone(audio, { pitch: 147, at: 0.14, length: 0.4, loud: 0.06 });
  },
  deal(audio) {
    breath(audio, { pitch: 3200, length: 0.07, loud: 0.1 });
  },
  tick(audio, weight) {
    breath(audio, { pitch: 1800 + 900 * weight, length: 0.05, loud: 0.1 + 0.1 * weight });
    tone(audio, { pitch: 880, length: 0.06, loud: 0.03 + 0.04 * weight });
  },
  pulse(audio, weight) {
    tone(audio, { pitch: 48 + 8 * weight, to: 40, length: 0.5, loud: 0.08 + 0.22 * weight });
    tone(audio, { pitch: 48 + 8 * weight, to: 40, at: 0.28, length: 0.4, loud: 0.05 + 0.15 * weight });
  },
};

/** @param {string} name @param {number} [weight] from 0 to 1: how much is at stake */
export function sound(name, weight = 0) {
  const audio = room;
  if (!settings.value.sound || !audio || !Object.hasOwn(SOUNDS, name)) return;
  awake(audio).then(() => SOUNDS[name](audio, Math.min(1, Math.max(0, weight))));
}

/** Whether this device can vibrate. */
export const canVibrate = () => typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

/** @param {number} ms */
export function vibrate(ms) {
  if (settings.value.vibration && canVibrate() && navigator.userActivation?.hasBeenActive !== false) {
    navigator.vibrate(ms);
  }
}
