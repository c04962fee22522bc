// The sounds of the table, made of noise and tones with Web Audio: no files. One family: paper, wax, and a wooden
// table in a small room. No audio context before the first gesture, none runs for longer than a sound. And the
// vibration of a phone that goes with some of them, with a switch of its own.

import { effect } from "./html.js";
import { choose, motion, settings } from "./settings.js";

/** What a sound is made with: where it goes, when it begins, and the noise that paper and wax are cut from.
 * @typedef {{audio: BaseAudioContext, out: AudioNode, start: number, noise: AudioBuffer}} Stage */

/** A gain that rises to `loud` and falls to nothing. @param {Stage} stage
 * @param {{at: number, rise: number, length: number, loud: number}} shape */
function envelope({ audio, out, start }, { at, rise, length, loud }) {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start + at);
  gain.gain.linearRampToValueAtTime(loud, start + at + rise);
  gain.gain.exponentialRampToValueAtTime(loud / 1000, start + at + length);
  gain.gain.linearRampToValueAtTime(0, start + at + length + 0.01);
  gain.connect(out);
  return gain;
}

/** A part of a sound: when it ends, in seconds, and how it is played.
 * @typedef {{ends: number, play: (stage: Stage) => void}} Part */

/** Filtered noise, its pitch moving from `from` to `to`: paper if high, wax if low.
 * @param {{at?: number, length: number, from: number, to?: number, loud: number, rise?: number,
 *   type?: BiquadFilterType, q?: number}} how @returns {Part[]} */
function rub({ at = 0, length, from, to = from, loud, rise = 0.004, type = "bandpass", q = 0.9 }) {
  /** @param {Stage} stage */
  const play = (stage) => {
    const { audio, start, noise } = stage;
    const source = new AudioBufferSourceNode(audio, { buffer: noise, loop: true });
    const filter = new BiquadFilterNode(audio, { type, frequency: from, Q: q });
    filter.frequency.setValueAtTime(from, start + at);
    filter.frequency.exponentialRampToValueAtTime(to, start + at + length);
    source.connect(filter).connect(envelope(stage, { at, rise, length, loud }));
    source.start(start + at, ((at * 7.3 + from / 1000) % 1) * noise.duration); // not the same grain each time
    source.stop(start + at + length + 0.02);
  };
  return [{ ends: at + length, play }];
}

/** One partial. @param {{at?: number, length: number, pitch: number, to?: number, loud: number, rise?: number}} how
 * @returns {Part[]} */
function tone({ at = 0, length, pitch, to = pitch, loud, rise = 0.003 }) {
  /** @param {Stage} stage */
  const play = (stage) => {
    const { audio, start } = stage;
    const source = new OscillatorNode(audio, { frequency: pitch });
    source.frequency.setValueAtTime(pitch, start + at);
    source.frequency.exponentialRampToValueAtTime(to, start + at + length);
    source.connect(envelope(stage, { at, rise, length, loud }));
    source.start(start + at);
    source.stop(start + at + length + 0.02);
  };
  return [{ ends: at + length, play }];
}

/** Partials: pitch, loudness and length, as parts of the lowest one's. A struck board; and a wooden bar, which rings:
 * its second is two octaves up. */
const BOARD = { pitches: [1, 2.57, 4.95], louds: [1, 0.45, 0.2], lengths: [1, 0.6, 0.35] };
const BAR = { pitches: [1, 3.93, 9.24], louds: [1, 0.28, 0.08], lengths: [1, 0.45, 0.2] };

/** @typedef {{at?: number, pitch: number, length: number, loud: number}} Blow */

/** Something struck. @param {typeof BOARD} of @param {Blow} blow */
const strike = ({ pitches, louds, lengths }, { at, pitch, length, loud }) =>
  pitches.flatMap((ratio, i) => tone({ at, pitch: pitch * ratio, length: length * lengths[i], loud: loud * louds[i] }));

/** A knuckle or a card's edge on the table. @param {Blow} blow */
const wood = (blow) => [
  ...strike(BOARD, blow),
  ...rub({ at: blow.at, length: 0.025, from: blow.pitch * 9, loud: blow.loud * 0.7, rise: 0.001 }),
];

/** A note on a wooden bar. @param {number} step half tones from D4
 * @param {{at?: number, length: number, loud: number}} how */
const note = (step, { at, length, loud }) => [
  ...strike(BAR, { at, pitch: 293.66 * 2 ** (step / 12), length, loud }),
  ...rub({ at, length: 0.018, from: 1800, loud: loud * 0.3, rise: 0.001 }),
];

/** A low drum. @param {Blow} blow */
const drum = ({ at, pitch, length, loud }) => [
  ...tone({ at, pitch: pitch * 1.9, to: pitch, length: 0.09, loud: loud * 0.6 }),
  ...tone({ at, pitch, to: pitch * 0.82, length, loud }),
  ...tone({ at, pitch: pitch * 3.2, to: pitch * 2.9, length: length * 0.4, loud: loud * 0.3 }), // for phones
  ...rub({ at, length: 0.12, from: 420, to: 120, loud: loud * 0.8, type: "lowpass" }),
];

/** A beat of the heart. @param {number} at @param {number} pitch @param {number} loud */
const beat = (at, pitch, loud) => [
  ...tone({ at, pitch, to: 40, length: 0.34, loud, rise: 0.02 }),
  ...tone({ at, pitch: pitch * 3, to: 120, length: 0.2, loud: loud * 0.3, rise: 0.02 }),
];

/** The parts of each sound; `weight`, from 0 to 1, is how much is at stake.
 * @type {Record<string, (weight: number) => Part[][]>} */
const SOUNDS = {
  /** A card slides off the hand and lies on the table. */
  place: () => [
    rub({ length: 0.16, from: 1400, to: 3600, loud: 0.34, rise: 0.05 }),
    wood({ at: 0.15, pitch: 150, length: 0.12, loud: 0.2 }),
  ],
  /** Wax drops and is pressed. */
  seal: () => [
    rub({ length: 0.2, from: 900, to: 220, loud: 0.5, rise: 0.012, type: "lowpass", q: 3 }),
    drum({ at: 0.015, pitch: 92, length: 0.22, loud: 0.32 }),
    rub({ at: 0.09, length: 0.09, from: 5200, to: 3000, loud: 0.07, rise: 0.03 }),
  ],
  /** The corners of sealed cards come up. */
  lift: (weight) => [rub({ length: 0.25, from: 700, to: 4200, loud: 0.28 + 0.1 * weight, rise: 0.18, q: 1.6 })],
  /** A card turns over and falls flat. */
  turn: (weight) => {
    const length = 0.16 + 0.2 * weight;
    return [
      rub({ length, from: 2600 - 900 * weight, to: 900, loud: 0.34, rise: length * 0.4 }),
      wood({ at: length, pitch: 118 - 28 * weight, length: 0.22 + 0.2 * weight, loud: 0.26 + 0.14 * weight }),
    ];
  },
  /** Two notes up. */
  win: (weight) => [
    note(0, { length: 0.5, loud: 0.24 + 0.06 * weight }),
    note(7, { at: 0.16, length: 0.9 + 0.4 * weight, loud: 0.28 + 0.08 * weight }),
    weight > 0.5 ? note(12, { at: 0.32, length: 1.1, loud: 0.2 * weight }) : [],
  ],
  /** Two notes down. */
  lose: (weight) => [
    note(-5, { length: 0.5, loud: 0.24 + 0.04 * weight }),
    note(-9, { at: 0.22, length: 0.9 + 0.2 * weight, loud: 0.26 + 0.06 * weight }),
  ],
  /** Level: the same knock twice. */
  draw: (weight) => [
    wood({ pitch: 196, length: 0.18, loud: 0.24 + 0.06 * weight }),
    wood({ at: 0.15, pitch: 196, length: 0.22, loud: 0.2 + 0.06 * weight }),
  ],
  /** Several are highest: notes that grate on each other and then agree. */
  tie: (weight) => [
    ...[0, 1].map((step) => note(step, { length: 0.55, loud: 0.17 + 0.04 * weight })),
    ...[0, 4, 7].map((step) => note(step, { at: 0.42, length: 1.1, loud: 0.17 + 0.04 * weight })),
  ],
  /** Five points at once: stillness, a chain breaks, a low drum twice, five ticks; they rise for the winner
   * (weight over 0.5) and fall for the loser. */
  plus5: (weight) => [
    rub({ at: 0.12, length: 0.1, from: 6200, to: 2400, loud: 0.5, rise: 0.001, q: 2.5 }),
    strike(BOARD, { at: 0.12, pitch: 740, length: 0.16, loud: 0.14 }),
    drum({ at: 0.24, pitch: 62, length: 0.5, loud: 0.55 }),
    drum({ at: 0.33, pitch: 49, length: 0.9, loud: 0.6 }),
    ...(weight > 0.5 ? [0, 2, 4, 7, 9] : [9, 7, 4, 2, 0]).map((step, tick) =>
      note(step, { at: 0.7 + tick * 0.06, length: tick === 4 ? 1 : 0.3, loud: 0.2 }),
    ),
  ],
  /** One of the last seconds. */
  clock: (weight) => [wood({ pitch: 520 + 180 * weight, length: 0.06, loud: 0.14 + 0.16 * weight })],
  /** A cell of the ledger is filled: a pencil on paper. */
  tick: (weight) => [
    rub({ length: 0.03, from: 3400 + 900 * weight, loud: 0.3, rise: 0.002, q: 4 }),
    tone({ pitch: 1250 + 260 * weight, length: 0.05, loud: 0.05 }),
  ],
  /** Someone is there. */
  knock: () => [
    wood({ pitch: 240, length: 0.14, loud: 0.3 }),
    wood({ at: 0.17, pitch: 228, length: 0.16, loud: 0.34 }),
  ],
  /** A card comes from the stock. */
  deal: () => [rub({ length: 0.11, from: 4800, to: 2200, loud: 0.42, rise: 0.02 })],
  /** The heart, while the cards lie there. */
  pulse: (weight) => [
    beat(0, 50 + 8 * weight, 0.2 + 0.22 * weight),
    beat(0.2, 50 + 8 * weight, 0.7 * (0.2 + 0.22 * weight)),
  ],
  /** Someone plays their last card: a long breath and a drum far away. */
  last: () => [
    rub({ length: 0.5, from: 300, to: 1500, loud: 0.16, rise: 0.4, q: 2.2 }),
    drum({ at: 0.1, pitch: 58, length: 0.5, loud: 0.34 }),
    drum({ at: 0.46, pitch: 58, length: 0.6, loud: 0.42 }),
  ],
  /** The lowest card beats the highest: from the bottom to the top of the bars. */
  upset: () => [
    drum({ pitch: 66, length: 0.4, loud: 0.4 }),
    ...[-12, -5, 2, 9, 14].map((step, place) =>
      note(step, { at: 0.06 + place * 0.07, length: place === 4 ? 0.9 : 0.3, loud: 0.2 }),
    ),
  ],
  /** From behind and level or ahead: three heavy steps up for who does it (weight over 0.5), else down. */
  comeback: (weight) => {
    const steps = weight > 0.5 ? [-7, -2, 3, 10] : [3, -2, -7, -14];
    return [
      ...steps.map((_, place) => wood({ at: place * 0.2, pitch: 96 + 14 * place, length: 0.16, loud: 0.2 })),
      ...steps.map((step, place) =>
        note(step, { at: place * 0.2 + 0.02, length: place === 3 ? 1.2 : 0.34, loud: 0.24 }),
      ),
      note(steps[3] + 7, { at: 0.62, length: 1, loud: 0.14 }),
    ];
  },
  /** The game is over: a cadence, home for the winner (weight over 0.5), and left open for the loser. */
  decided: (weight) => {
    const home = weight > 0.5;
    const chords = [home ? [5, 9] : [0, 3], home ? [7, 11] : [-4, 0], home ? [0, 4, 7, 12] : [-9, -5, 3]];
    return [
      drum({ at: 0.56, pitch: 58, length: 0.9, loud: 0.34 }),
      ...chords.flatMap((chord, place) =>
        chord.map((step) =>
          note(step, { at: place * 0.28, length: place === 2 ? 1.6 : 0.6, loud: 0.36 / chord.length }),
        ),
      ),
    ];
  },
};

const ROOM = 0.06; // seconds after which the room is still again

/** How long each sound lasts at most, in seconds. */
export const LASTS = Object.fromEntries(
  Object.entries(SOUNDS).map(([name, partsAt]) => [
    name,
    Math.max(
      ...partsAt(1)
        .flat()
        .map(({ ends }) => ends),
    ) + ROOM,
  ]),
);

/** White noise of a second; the same in every page, so that a sound is the same in every page.
 * @param {BaseAudioContext} audio */
function noiseFor(audio) {
  const buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const wave = buffer.getChannelData(0);
  let seed = 1;
  for (let i = 0; i < wave.length; i++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
    wave[i] = seed / 2 ** 31;
  }
  return buffer;
}

/** The room around the table, as a node to play into: it takes off what is shrill, and gives back a little of what it
 * hears. @param {BaseAudioContext} audio @param {AudioNode} out */
function roomAround(audio, out) {
  const warm = new BiquadFilterNode(audio, { type: "lowpass", frequency: 7500, Q: 0.5 });
  warm.connect(out);
  for (const [delay, gain] of [
    [0.013, 0.16],
    [0.029, 0.11],
    [0.047, 0.07],
  ])
    warm
      .connect(new DelayNode(audio, { delayTime: delay, maxDelayTime: delay }))
      .connect(new GainNode(audio, { gain }))
      .connect(out);
  return warm;
}

/** The table in its room, heard at `out`: plays a sound at a time of the context's clock, and returns the sound's own
 * gain, by which it can be silenced. @param {BaseAudioContext} audio @param {AudioNode} out */
export function tableIn(audio, out) {
  const room = roomAround(audio, out);
  const noise = noiseFor(audio);
  return (/** @type {string} */ name, /** @type {number} */ weight, /** @type {number} */ start) => {
    const own = new GainNode(audio);
    own.connect(room);
    const parts = SOUNDS[name](Math.min(1, Math.max(0, weight)));
    for (const { play } of parts.flat()) play({ audio, out: own, start, noise });
    return own;
  };
}

// --- this page's loudspeaker ------------------------------------------------------------------------------------

/** @type {{audio: AudioContext, play: ReturnType<typeof tableIn>}|null} */
let speaker = null;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let rest;
/** When the last sound that was begun ends, on the audio context's clock. */
let ends = 0;
/** The sounds that may still be heard. @type {Set<GainNode>} */
const heard = new Set();

/** Whether nothing is heard here, by the switch or by the volume. */
export const isSilent = () => !settings.value.sound || settings.value.volume === 0;

/** An ear hears half as loud where the gain is a quarter. */
const gainNow = () => (isSilent() ? 0 : (settings.value.volume / 100) ** 2);

function openSpeaker() {
  const audio = new AudioContext();
  const volume = new GainNode(audio, { gain: gainNow() });
  volume.connect(audio.destination);
  effect(() => void volume.gain.setTargetAtTime(gainNow(), audio.currentTime, 0.01)); // what sounds just now, too
  return { audio, play: tableIn(audio, volume) };
}

/** Keeps the context running until all is said: a running one costs power. @param {AudioContext} audio
 * @param {number} seconds */
function stayAwake(audio, seconds) {
  ends = Math.max(ends, audio.currentTime + seconds);
  clearTimeout(rest);
  rest = setTimeout(
    () => {
      heard.clear();
      audio.suspend();
    },
    (ends - audio.currentTime) * 1000 + 300,
  );
  return audio.resume();
}

/** Opens the loudspeaker, if anything is to be heard; by a gesture only. */
function prepare() {
  if (isSilent() || typeof AudioContext === "undefined") return;
  speaker ??= openSpeaker();
  stayAwake(speaker.audio, 0);
}

/** Browsers allow sound after the first gesture. */
export function listenForGesture() {
  for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, prepare, { once: true, passive: true });
}

/** Milliseconds of vibration, and of the pauses between, that go with a sound. @type {Record<string, number[]>} */
const VIBRATIONS = { seal: [15], knock: [15], clock: [30], plus5: [0, 240, 40, 50, 60], decided: [0, 560, 30] };

/** Whether this device can vibrate. */
export const canVibrate = () => typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

/** @param {string} name @param {number} weight */
function vibrate(name, weight) {
  const pattern = VIBRATIONS[name];
  if (name === "seal" && weight === 0) return; // another's
  if (!pattern || !settings.value.vibration || motion.value === "less" || !canVibrate()) return;
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(pattern);
}

/** Ends what is being heard, within a blink. */
function hush() {
  const now = speaker?.audio.currentTime ?? 0;
  for (const { gain } of heard) gain.setTargetAtTime(0, now, 0.015);
  heard.clear();
}

/** Plays a sound, with its vibration. *plus5* begins with stillness: it ends what is being heard.
 * @param {string} name @param {number} [weight] from 0 to 1: how much is at stake */
export function sound(name, weight = 0) {
  if (!Object.hasOwn(SOUNDS, name)) return;
  vibrate(name, weight);
  if (isSilent() || !speaker) return;
  if (name === "plus5") hush();
  const { audio, play } = speaker;
  stayAwake(audio, LASTS[name]).then(() => heard.add(play(name, weight, audio.currentTime)));
}

/** Sound off, or on again; at a volume of nothing it comes back at half of it. */
export function switchSound() {
  if (isSilent()) changeVolume(settings.value.volume || 50);
  else choose({ sound: false });
}

/** @param {number} volume from 0 to 100 */
export function changeVolume(volume) {
  choose({ sound: volume > 0, volume });
  prepare();
  sound("place");
}
