// Runs before the first paint: theme, card size and language as the person chose them, so that nothing flashes.
(() => {
  try {
    const kept = JSON.parse(localStorage.getItem("facedown.settings") ?? "{}");
    const root = document.documentElement;
    if (kept.theme === "light" || kept.theme === "dark") root.dataset.theme = kept.theme;
    if (["small", "large"].includes(kept.cards)) root.dataset.cards = kept.cards;
    if (kept.contrast === "more") root.dataset.contrast = "more";
    root.lang = kept.lang ?? (navigator.language.startsWith("ja") ? "ja" : "en");
  } catch {
    // Storage is shut: the defaults of the style sheet hold.
  }
})();
