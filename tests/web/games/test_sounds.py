"""The sounds of the table, as a browser renders them: each is heard, clean, its own, and ends in time."""

from __future__ import annotations

import base64
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt
import pytest

from tests.web.games.gallery_page import GalleryPage

RATE: Final = 44_100
TAIL: Final = 0.3
"""Seconds that are rendered after the end of a sound."""
_RENDER: Final = f"""async (weight) => {{
  const {{ LASTS, tableIn }} = await import("/app/sound.js");
  const rendered = await Promise.all(Object.entries(LASTS).map(async ([name, lasts]) => {{
    const audio = new OfflineAudioContext(1, Math.ceil((lasts + {TAIL}) * {RATE}), {RATE});
    tableIn(audio, audio.destination)(name, weight, 0);
    const samples = new Float32Array((await audio.startRendering()).getChannelData(0));
    const bytes = new Uint8Array(samples.buffer);
    return [name, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))];
  }}));
  return Object.fromEntries(rendered);
}}"""

Samples = npt.NDArray[np.float32]


def rendered(gallery_page: GalleryPage, weight: float) -> dict[str, Samples]:
    """The samples of every sound at full volume."""
    found: dict[str, str] = gallery_page.page.evaluate(_RENDER, weight)
    return {name: np.frombuffer(base64.b64decode(text), np.float32) for name, text in found.items()}


def portrait(samples: Samples) -> npt.NDArray[np.float64]:
    """How loud a sound is in each octave, at each tenth of a second: what an ear tells sounds apart by."""
    step = RATE // 10
    slices = np.zeros((24, step))
    heard = samples[: slices.size]
    slices.reshape(-1)[: len(heard)] = heard
    powers = np.abs(np.fft.rfft(slices, axis=1)) ** 2
    bands = np.add.reduceat(powers, [1, 5, 9, 14, 20, 28, 40, 57, 80, 160, 320, 640], axis=1)
    seen = np.sqrt(bands).reshape(-1)
    return np.asarray(seen / np.linalg.norm(seen), np.float64)


@pytest.mark.parametrize("weight", [0, 0.5, 1])
def test_each_sound_is_heard_and_clean_and_ends_in_its_time(gallery_page: GalleryPage, weight: float) -> None:
    sounds = rendered(gallery_page, weight)

    assert {"place", "seal", "lift", "turn", "win", "lose", "plus5", "clock", "tie"} <= set(sounds)
    for name, samples in sounds.items():
        peak = float(np.abs(samples).max())
        assert 0.05 < peak < 1, name
        assert float(np.abs(samples[-round(TAIL * RATE) :]).max()) < peak / 100, name
        assert float(np.abs(samples[:-1] - samples[1:]).max()) < 0.6, f"{name} clicks"


@pytest.mark.parametrize("weight", [0, 1])
def test_no_two_sounds_are_alike(gallery_page: GalleryPage, weight: float) -> None:
    portraits = {name: portrait(samples) for name, samples in rendered(gallery_page, weight).items()}

    alike = {(a, b): float(portraits[a] @ portraits[b]) for a, b in combinations(portraits, 2)}
    assert {pair: near for pair, near in alike.items() if near > 0.95} == {}


def test_a_phone_vibrates_with_ones_own_seal_unless_less_is_to_move(gallery_page: GalleryPage) -> None:
    page = gallery_page.page
    buzzes = """async (motion) => {
      const { sound } = await import("/app/sound.js");
      const { choose } = await import("/app/settings.js");
      choose({ motion });
      const felt = [];
      Object.defineProperty(navigator, "vibrate", { value: (ms) => felt.push(ms), configurable: true });
      const coarse = matchMedia;
      globalThis.matchMedia = (query) => query.includes("coarse") ? { matches: true } : coarse(query);
      for (const [name, weight] of [["seal", 0.5], ["seal", 0], ["lift", 0.5]]) sound(name, weight);
      globalThis.matchMedia = coarse;
      delete navigator.vibrate;
      choose({ motion: "system" });
      return felt;
    }"""
    page.keyboard.press("Shift")
    assert page.evaluate(buzzes, "full") == [[15]]
    assert page.evaluate(buzzes, "less") == []
